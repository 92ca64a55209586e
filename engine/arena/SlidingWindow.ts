import { type RecordedPrice, WINDOW_MILLIS } from "./PriceBand.ts"

/** The medians before a time, in the window that a price is judged by. */
export interface WindowSum {
  readonly count: number
  readonly sum: bigint
}

/**
 * The window over one asset's medians that slides with the times it is asked for: what it costs is what it slides over,
 * and it may slide back. The medians are ascending; new ones may be put to their end.
 */
export class SlidingWindow {
  readonly #medians: ReadonlyArray<RecordedPrice>
  /** The first median inside, and the first one after them. */
  #from = 0
  #until = 0
  #sum = 0n

  constructor(medians: ReadonlyArray<RecordedPrice>) {
    this.#medians = medians
  }

  /** Those in [at − 5 minutes, at). */
  before(at: number): WindowSum {
    const start = at - WINDOW_MILLIS
    while (this.#timeOf(this.#from - 1) >= start) this.#sum += this.#priceOf(--this.#from)
    while (this.#timeOf(this.#until) < at) this.#sum += this.#priceOf(this.#until++)
    while (this.#timeOf(this.#until - 1) >= at) this.#sum -= this.#priceOf(--this.#until)
    while (this.#timeOf(this.#from) < start) this.#sum -= this.#priceOf(this.#from++)
    return { count: this.#until - this.#from, sum: this.#sum }
  }

  /** NaN where there is none, which is neither before nor after any time. */
  #timeOf(index: number): number {
    return this.#medians[index]?.at ?? Number.NaN
  }

  #priceOf(index: number): bigint {
    return this.#medians[index]?.price ?? 0n
  }
}
