import { ApiError } from "../api/ApiError.ts"
import { groupOf } from "../../engine/cluster/QuotaLoans.ts"
import { BLOCKS, type QuotaHolder, type QuotaPart } from "../../engine/cluster/QuotaPart.ts"
import { type Refill, TokenBucket } from "./TokenBucket.ts"

/** Open WebSocket connections. */
export const MAX_SOCKETS = 10_000

/** How many of them are reserved for callers who are signed in. */
export const RESERVED_SOCKETS = MAX_SOCKETS / 10

/** Anonymous connections of an address. */
export const MAX_ADDRESS_SOCKETS = 64

/** Connections of a company, of all its users and clients together. */
export const MAX_COMPANY_SOCKETS = 256

/** Streams that a company's connections have open together. */
export const MAX_COMPANY_STREAMS = 256

/** What a frame costs beside its bytes, in bytes. */
export const FRAME_COST = 512

const KIB = 1_024

/** Bytes and messages that a caller's connections may send together. */
export const ALLOWANCES = {
  anonymous: { bytes: { burst: 256 * KIB, perSecond: 64 * KIB }, messages: { burst: 256, perSecond: 32 } },
  signedIn: { bytes: { burst: 4_096 * KIB, perSecond: 4_096 * KIB }, messages: { burst: 2_048, perSecond: 512 } }
} as const satisfies Readonly<Record<string, Readonly<Record<"bytes" | "messages", Refill>>>>

/** How long an unused budget is remembered, in milliseconds: longer than any takes to be whole again. */
const REST_MILLIS = 10_000

/** Budgets without a connection that are remembered; the oldest makes room. */
const MAX_RESTING = 20_000

/** For whom a connection counts. */
export type SocketHolder = QuotaHolder

/** Connections and streams that count together. */
interface Share {
  sockets: number
  streams: number
}

/** The rest of what one caller's connections may send. */
class Budget {
  readonly bytes: TokenBucket
  readonly messages: TokenBucket
  sockets = 0
  restingSince = 0

  /** @param blocks - of its bytes, that it begins with */
  constructor(isSignedIn: boolean, now: number, blocks: number) {
    const { bytes, messages } = isSignedIn ? ALLOWANCES.signedIn : ALLOWANCES.anonymous
    this.bytes = new TokenBucket(bytes, now, blocks)
    this.messages = new TokenBucket(messages, now)
  }
}

/** The place of one open connection. It is given back once. */
export interface SocketPlace {
  /** Takes the cost of a frame; false if its caller sends too much. */
  readonly takeFrame: (bytes: number, now: number) => boolean
  /** Takes so many messages; false if its caller sends too many. */
  readonly takeMessages: (count: number, now: number) => boolean
  /** Opens a stream; false if its company has too many. */
  readonly takeStream: () => boolean
  readonly endStream: () => void
  /** Counts for somebody else from here on. If that is refused, it counts as before. */
  readonly move: (holder: SocketHolder, now: number) => ApiError<"rate_limited"> | undefined
  readonly leave: (now: number) => void
}

const tooMany = ({ companyId }: SocketHolder): ApiError<"rate_limited"> =>
  new ApiError(
    "rate_limited",
    companyId === undefined
      ? `An address has at most ${MAX_ADDRESS_SOCKETS} connections open that are not signed in: close some, or sign in.`
      : `A company has at most ${MAX_COMPANY_SOCKETS} connections open: close some.`
  )

/** What other nodes count, and who is told what this one does. */
export interface SharedLimits {
  /** Connections that a company, or an address that is not signed in, has open at other nodes. */
  readonly elsewhere: (group: string, now: number) => number
  /** A caller has one connection more here, or one less. */
  readonly changed: (holder: SocketHolder, change: 1 | -1, now: number) => void
}

const ALONE: SharedLimits = { elsewhere: () => 0, changed: () => undefined }

/**
 * Counts WebSocket connections and their owners, and limits what they send. Off: only {@link MAX_SOCKETS} bounds them.
 * Times are milliseconds since 1970.
 */
export class SocketLimits implements QuotaPart {
  readonly #isOn: boolean
  /** By company, or by address for anonymous callers. Only of those with an open connection. */
  readonly #shares = new Map<string, Share>()
  readonly #budgets = new Map<string, Budget>()
  /** Budgets without a connection, the longest unused first. */
  readonly #resting = new Map<string, Budget>()
  /** Blocks of each caller's bytes that are this process's own. */
  readonly #own: number
  #shared = ALONE
  #open = 0

  /** @param own - all blocks of each caller's bytes, or none where they are borrowed from another node */
  constructor(isOn: boolean, own: number = BLOCKS) {
    this.#isOn = isOn
    this.#own = own
  }

  /** From here on other nodes count with this one. */
  shareWith(shared: SharedLimits): void {
    this.#shared = shared
  }

  has(caller: string): boolean {
    return (this.#budgets.get(caller)?.sockets ?? 0) > 0
  }

  blocksOf(caller: string): number {
    return (this.#budgets.get(caller) ?? this.#resting.get(caller))?.bytes.blocks ?? this.#own
  }

  lend(holder: SocketHolder, blocks: number, now: number): number {
    const lent = this.#budgetOf(holder, now).bytes.lend(now, blocks)
    this.#rest(holder.caller, now)
    return lent
  }

  regain(holder: SocketHolder, blocks: number, tokens: number, now: number): void {
    this.#budgetOf(holder, now).bytes.regain(now, blocks, tokens)
    this.#rest(holder.caller, now)
  }

  /** Callers that are remembered. */
  get remembered(): number {
    return this.#budgets.size + this.#resting.size
  }

  /** Whether there is no room for anybody. */
  get isFull(): boolean {
    return this.#open >= MAX_SOCKETS
  }

  /** Takes a place for a connection. */
  admit(holder: SocketHolder, now: number): SocketPlace | ApiError<"rate_limited"> | ApiError<"unavailable"> {
    const most = holder.companyId === undefined ? MAX_SOCKETS - RESERVED_SOCKETS : MAX_SOCKETS
    if (this.#open >= most) return new ApiError("unavailable")
    if (!this.#hasRoom(holder, now)) return tooMany(holder)
    this.#open += 1
    this.#enter(holder, now)
    return this.#place(holder)
  }

  #place(first: SocketHolder): SocketPlace {
    let holder = first
    let streams = 0
    let isOpen = true
    return {
      takeFrame: (bytes, now) => !this.#isOn || this.#budgetOf(holder, now).bytes.take(now, bytes + FRAME_COST),
      takeMessages: (count, now) => !this.#isOn || this.#budgetOf(holder, now).messages.take(now, count),
      takeStream: () => {
        const share = this.#shareOf(holder)
        if (this.#isOn && share.streams >= MAX_COMPANY_STREAMS) return false
        share.streams += 1
        streams += 1
        return true
      },
      endStream: () => {
        if (streams === 0) return
        streams -= 1
        this.#shareOf(holder).streams -= 1
      },
      move: (to, now) => {
        if (!isOpen || (to.caller === holder.caller && to.companyId === holder.companyId)) return undefined
        if (to.companyId !== holder.companyId && !this.#hasRoom(to, now)) return tooMany(to)
        this.#exit(holder, streams, now)
        holder = to
        this.#enter(holder, now)
        this.#shareOf(holder).streams += streams
        return undefined
      },
      leave: (now) => {
        if (!isOpen) return
        isOpen = false
        this.#open -= 1
        this.#exit(holder, streams, now)
        streams = 0
      }
    }
  }

  #hasRoom(holder: SocketHolder, now: number): boolean {
    if (!this.#isOn) return true
    const most = holder.companyId === undefined ? MAX_ADDRESS_SOCKETS : MAX_COMPANY_SOCKETS
    const group = groupOf(holder)
    return (this.#shares.get(group)?.sockets ?? 0) + this.#shared.elsewhere(group, now) < most
  }

  #enter(holder: SocketHolder, now: number): void {
    this.#shareOf(holder).sockets += 1
    this.#budgetOf(holder, now).sockets += 1
    this.#shared.changed(holder, 1, now)
  }

  #exit(holder: SocketHolder, streams: number, now: number): void {
    const share = this.#shareOf(holder)
    share.sockets -= 1
    share.streams -= streams
    if (share.sockets === 0) this.#shares.delete(groupOf(holder))
    this.#budgetOf(holder, now).sockets -= 1
    this.#rest(holder.caller, now)
    this.#shared.changed(holder, -1, now)
  }

  /** A budget that nobody uses is remembered for a while; as long as others have blocks of it. */
  #rest(caller: string, now: number): void {
    const budget = this.#budgets.get(caller)
    if (budget === undefined || budget.sockets > 0 || budget.bytes.blocks < this.#own) return
    budget.restingSince = now
    this.#budgets.delete(caller)
    this.#resting.set(caller, budget)
    this.#forget(now)
  }

  #shareOf(holder: SocketHolder): Share {
    const key = groupOf(holder)
    const known = this.#shares.get(key)
    if (known !== undefined) return known
    const made = { sockets: 0, streams: 0 }
    this.#shares.set(key, made)
    return made
  }

  #budgetOf({ caller, companyId }: SocketHolder, now: number): Budget {
    const known = this.#budgets.get(caller)
    if (known !== undefined) return known
    const budget = this.#resting.get(caller) ?? new Budget(companyId !== undefined, now, this.#own)
    this.#resting.delete(caller)
    this.#budgets.set(caller, budget)
    return budget
  }

  /** A budget that rested long enough is whole again, as a new one is. */
  #forget(now: number): void {
    for (const [caller, { restingSince }] of this.#resting) {
      if (this.#resting.size <= MAX_RESTING && now - restingSince < REST_MILLIS) return
      this.#resting.delete(caller)
    }
  }
}
