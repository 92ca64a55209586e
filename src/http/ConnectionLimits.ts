import type { Peer } from "../runtime/ServerRuntime.ts"

/** Refused requests in a row after which a connection is closed. */
export const MAX_REFUSALS = 20

/** Requests of one connection that are answered before any other's. A connection that sends more at once is closed. */
export const MAX_PIPELINED = 16

/** Connections whose refusals are remembered; the one that was refused longest ago makes room. */
const MAX_REMEMBERED = 10_000

/** Whether a status refuses a request. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500

/**
 * Decides which HTTP connections to close with their next answer. The runtime takes any number of requests from one
 * connection before it looks at the others, and otherwise a refused caller could go on at no cost.
 */
export class ConnectionLimits {
  readonly #refusals = new Map<string, number>()
  readonly #atEndOfTurn: (then: () => void) => void
  /** The connection whose requests came last, and their number in this turn of the event loop. */
  #last: Peer | undefined = undefined
  #inTurn = 0
  #isTurnOpen = false

  /** `atEndOfTurn` runs something after everything that can be read now. */
  constructor(atEndOfTurn: (then: () => void) => void) {
    this.#atEndOfTurn = atEndOfTurn
  }

  /** Counts a request. Returns whether to close its connection after it. */
  begin(peer: Peer): boolean {
    const last = this.#last
    const isSame = last !== undefined && last.port === peer.port && last.address === peer.address
    this.#inTurn = isSame ? this.#inTurn + 1 : 1
    this.#last = peer
    if (!this.#isTurnOpen) {
      this.#isTurnOpen = true
      this.#atEndOfTurn(this.#endTurn)
    }
    return this.#inTurn > MAX_PIPELINED
  }

  /** Counts an answer. Returns whether to close its connection with it. */
  end(peer: Peer, status: number): boolean {
    const isRefused = isRefusal(status)
    if (!isRefused && this.#refusals.size === 0) return false
    const key = `${peer.address} ${peer.port}`
    const refusals = isRefused ? (this.#refusals.get(key) ?? 0) + 1 : 0
    this.#refusals.delete(key)
    if (refusals === 0) return false
    if (refusals >= MAX_REFUSALS) return true
    this.#refusals.set(key, refusals)
    if (this.#refusals.size > MAX_REMEMBERED) this.#forgetOldest()
    return false
  }

  /** Connections whose refusals are remembered. */
  get size(): number {
    return this.#refusals.size
  }

  readonly #endTurn = (): void => {
    this.#isTurnOpen = false
    this.#last = undefined
  }

  #forgetOldest(): void {
    for (const oldest of this.#refusals.keys()) {
      this.#refusals.delete(oldest)
      return
    }
  }
}
