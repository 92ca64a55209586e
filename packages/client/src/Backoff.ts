import { STREAM_CLOSE } from "./Contract.ts"

/** The wait before the first new connection, and the longest before any, in milliseconds; each halved at random. */
export const FIRST_WAIT = 250
export const LONGEST_WAIT = 30_000

/** Waits that begin later: the server asked for patience. Milliseconds, by close code. */
const CAREFUL: Readonly<Record<number, number>> = {
  [STREAM_CLOSE.policyViolation]: 10_000,
  [STREAM_CLOSE.tooBig]: 10_000,
  [STREAM_CLOSE.tryAgainLater]: 2_000,
  [STREAM_CLOSE.tooSlow]: 2_000
}

/** Doublings after which the wait is the longest in any case. */
const MAX_DOUBLINGS = 10

/** When to connect again: later each time that it was in vain, and never with all the others. */
export class Backoff {
  readonly #random: () => number
  readonly #longest: number
  #failures = 0

  constructor(random: () => number, longest: number = LONGEST_WAIT) {
    this.#random = random
    this.#longest = longest
  }

  /** The connection was worth it. */
  succeeded(): void {
    this.#failures = 0
  }

  /** Milliseconds to wait after a connection ended with a code, at least as long as the server asked for. */
  next(code: number | undefined, asked = 0): number {
    const first = (code === undefined ? undefined : CAREFUL[code]) ?? FIRST_WAIT
    const longest = Math.min(Math.max(this.#longest, first), first * 2 ** Math.min(this.#failures, MAX_DOUBLINGS))
    this.#failures += 1
    return Math.round(Math.min(asked, LONGEST_WAIT) + (longest * (1 + this.#random())) / 2)
  }
}
