/** How long a process may stand still before somebody else may have taken its place, in nanoseconds of the monotonic clock. */
export const MAX_PAUSE = 400_000_000n

/**
 * Whether this process may have been stopped, so that it does not know whether another one acts in its place. It has to be told
 * of the time more often than {@link MAX_PAUSE}.
 */
export class Pauses {
  #last: bigint
  /** Pauses so far, and as many of them as were looked into. */
  #pauses = 0
  #settled = 0

  /** @param now - nanoseconds of the monotonic clock */
  constructor(now: bigint) {
    this.#last = now
  }

  /** Whether it went on without a pause, or what happened in each of them is known. */
  isSettled(now: bigint): boolean {
    return this.#pauses === this.#settled && now - this.#last <= MAX_PAUSE
  }

  /** The process goes on. Gives what says that all pauses until now were looked into, if there were any. */
  goOn(now: bigint): (() => void) | undefined {
    if (now - this.#last > MAX_PAUSE) this.#pauses += 1
    this.#last = now
    const pauses = this.#pauses
    if (pauses === this.#settled) return undefined
    return () => {
      this.#settled = pauses
    }
  }
}
