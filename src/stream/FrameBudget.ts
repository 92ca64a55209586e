/** Frames that a client may send at once. */
export const FRAME_BURST = 60

/** Frames a second that it may go on with. */
export const FRAMES_PER_SECOND = 10

/** What a subscription that reads the database counts for. */
export const READING_COST = 5

/** Counts what one client sends, so that a flood is noticed: a bucket of tokens that refills with time. */
export class FrameBudget {
  #tokens = FRAME_BURST
  #at: number

  constructor(now: number) {
    this.#at = now
  }

  /** Takes the cost of a frame; false where the client sends too much. Times are milliseconds since 1970. */
  take(now: number, cost = 1): boolean {
    const passed = Math.max(0, now - this.#at)
    this.#tokens = Math.min(FRAME_BURST, this.#tokens + (passed * FRAMES_PER_SECOND) / 1_000)
    this.#at = now
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }
}
