import { Clock, Context, Data, Effect, Layer } from "effect"

/** Too many wrong passwords: the account or address has to wait. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{ readonly retryAfterSeconds: number }> {}

/** Failures that cost nothing, for an account and for an address, which many people may share. */
const FREE = { account: 5, address: 20 } as const

/** The delay after the first failure that costs: it doubles with each one. */
const FIRST_DELAY = 1_000

/** An account's delay stays short, so that a stranger's guesses do not lock its owner out. */
const LONGEST_DELAY = { account: 60_000, address: 900_000 } as const

/** A quiet hour forgets the failures. */
const FORGOTTEN_AFTER = 3_600_000

/** Accounts and addresses remembered; the one that failed longest ago makes room. */
const CAPACITY = 20_000

interface Failures {
  readonly count: number
  readonly at: number
}

type Kind = keyof typeof FREE

/** Milliseconds to wait after a number of failures. */
export const delayAfter = (kind: Kind, count: number): number =>
  count < FREE[kind] ? 0 : Math.min(LONGEST_DELAY[kind], FIRST_DELAY * 2 ** Math.min(count - FREE[kind], 20))

const makeMemory = () => {
  const failures = new Map<string, Failures>()
  const recent = (key: string, now: number): Failures | undefined => {
    const found = failures.get(key)
    return found === undefined || now - found.at > FORGOTTEN_AFTER ? undefined : found
  }
  return {
    waitOf: (kind: Kind, name: string, now: number): number => {
      const found = recent(`${kind}:${name}`, now)
      return found === undefined ? 0 : Math.max(0, found.at + delayAfter(kind, found.count) - now)
    },
    record: (kind: Kind, name: string, now: number): void => {
      const key = `${kind}:${name}`
      const count = (recent(key, now)?.count ?? 0) + 1
      failures.delete(key)
      const [oldest] = failures.size >= CAPACITY ? failures.keys() : []
      if (oldest !== undefined) failures.delete(oldest)
      failures.set(key, { count, at: now })
    },
    forget: (kind: Kind, name: string): void => void failures.delete(`${kind}:${name}`)
  }
}

/** Slows down guessing: an exponential delay per account and per address. */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Runs one attempt, or refuses it while a delay lasts. The effect answers undefined for a wrong guess; one that
     * fails does not count. Attempts at the same time are bounded by the hashing of passwords.
     */
    readonly attempt: <A, E, R>(
      account: string,
      address: string,
      effect: Effect.Effect<A | undefined, E, R>
    ) => Effect.Effect<A | undefined, E | TooManyAttempts, R>
  }
>()("emporion/identity/LoginAttempts") {
  static readonly layer: Layer.Layer<LoginAttempts> = Layer.sync(this, () => {
    const memory = makeMemory()
    return LoginAttempts.of({
      attempt: Effect.fnUntraced(function* (name, address, effect) {
        const account = name.toLowerCase()
        const started = yield* Clock.currentTimeMillis
        const wait = Math.max(memory.waitOf("account", account, started), memory.waitOf("address", address, started))
        if (wait > 0) return yield* new TooManyAttempts({ retryAfterSeconds: Math.ceil(wait / 1000) })
        const result = yield* effect
        if (result !== undefined) {
          memory.forget("account", account)
          return result
        }
        const ended = yield* Clock.currentTimeMillis
        memory.record("account", account, ended)
        memory.record("address", address, ended)
        return undefined
      })
    })
  })
}
