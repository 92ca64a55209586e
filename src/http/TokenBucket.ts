import { BLOCKS } from "../../engine/cluster/QuotaPart.ts"

/** The capacity of a bucket, and how fast it refills. */
export interface Refill {
  readonly burst: number
  readonly perSecond: number
}

/**
 * A bucket of tokens that refills with time. It has as many of {@link BLOCKS} as are not lent to other buckets, and then as
 * large a part of the capacity and of the refill, but never less than one block. Times are milliseconds since 1970.
 */
export class TokenBucket {
  readonly #refill: Refill
  #blocks: number
  #tokens: number
  #at: number

  /** @param blocks - those that it begins with; what they hold with it */
  constructor(refill: Refill, now: number, blocks = BLOCKS) {
    this.#refill = refill
    this.#blocks = blocks
    this.#tokens = (refill.burst * blocks) / BLOCKS
    this.#at = now
  }

  /** Blocks that it has; fewer than one where others have more than there are. */
  get blocks(): number {
    return this.#blocks
  }

  /** Takes so many tokens; if there are fewer, takes none and returns false. */
  take(now: number, cost = 1): boolean {
    this.#fill(now)
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** Lends so many blocks, with their part of the tokens, which it answers. */
  lend(now: number, blocks: number): number {
    this.#fill(now)
    this.#blocks -= blocks
    const lent = (this.#tokens * blocks) / (blocks + this.#usable)
    this.#tokens -= lent
    return lent
  }

  /** Has blocks, with so many tokens in them. */
  regain(now: number, blocks: number, tokens: number): void {
    this.#fill(now)
    this.#blocks += blocks
    this.#tokens = Math.min(this.#burst, this.#tokens + tokens)
  }

  get #usable(): number {
    return Math.max(1, this.#blocks)
  }

  get #burst(): number {
    return (this.#refill.burst * this.#usable) / BLOCKS
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - this.#at)
    const perSecond = (this.#refill.perSecond * this.#usable) / BLOCKS
    this.#tokens = Math.min(this.#burst, this.#tokens + (passed * perSecond) / 1_000)
    this.#at = now
  }
}
