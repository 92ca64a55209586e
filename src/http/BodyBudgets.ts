import { type Refill, TokenBucket } from "./TokenBucket.ts"

const MIB = 1_048_576

/** Bodies up to this many bytes count as the request alone. */
export const FREE_BODY_BYTES = 65_536

/** Bytes of larger bodies that a caller may send. */
export const BODY_ALLOWANCES = {
  anonymous: { burst: 2 * MIB, perSecond: MIB / 8 },
  signedIn: { burst: 8 * MIB, perSecond: 4 * MIB }
} as const satisfies Readonly<Record<string, Refill>>

/** Callers that are remembered. The one that has sent nothing large for longest makes room. */
const MAX_CALLERS = 10_000

/**
 * The budget of each caller for large bodies. A body takes its cost before it is read. Times are milliseconds since
 * 1970.
 */
export class BodyBudgets {
  readonly #isOn: boolean
  readonly #mostCallers: number
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(isOn: boolean, mostCallers = MAX_CALLERS) {
    this.#isOn = isOn
    this.#mostCallers = mostCallers
  }

  /** Callers that are remembered. */
  get size(): number {
    return this.#buckets.size
  }

  /** Takes a body of so many bytes; false if its caller sends too much. */
  take(caller: string, isSignedIn: boolean, bytes: number, now: number): boolean {
    if (!this.#isOn || bytes <= FREE_BODY_BYTES) return true
    const { anonymous, signedIn } = BODY_ALLOWANCES
    const bucket = this.#buckets.get(caller) ?? new TokenBucket(isSignedIn ? signedIn : anonymous, now)
    this.#buckets.delete(caller)
    this.#buckets.set(caller, bucket)
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#mostCallers) break
      this.#buckets.delete(oldest)
    }
    return bucket.take(now, bytes)
  }
}
