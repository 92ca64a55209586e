/** The capacity of a bucket, and how fast it refills. */
export interface Refill {
  readonly burst: number
  readonly perSecond: number
}

/** A bucket of tokens that refills with time. Times are milliseconds since 1970. */
export class TokenBucket {
  readonly #refill: Refill
  #tokens: number
  #at: number

  constructor(refill: Refill, now: number) {
    this.#refill = refill
    this.#tokens = refill.burst
    this.#at = now
  }

  /** Takes so many tokens; if there are fewer, takes none and returns false. */
  take(now: number, cost = 1): boolean {
    const { burst, perSecond } = this.#refill
    const passed = Math.max(0, now - this.#at)
    this.#tokens = Math.min(burst, this.#tokens + (passed * perSecond) / 1_000)
    this.#at = now
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }
}
