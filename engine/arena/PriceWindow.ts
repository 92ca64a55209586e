import type { Median } from "./Median.ts"
import { type PriceSum, sumBefore, WINDOW_MILLIS } from "./PriceBand.ts"

/**
 * The medians of one asset that were recorded in the five minutes before its last one, ascending in time. Their sum is at hand,
 * so that a price is judged without a look at each of them.
 */
export class PriceWindow {
  readonly #medians: Array<Median> = []
  /** The first of them that the sum counts. */
  #first = 0
  #sum = 0n

  get medians(): ReadonlyArray<Median> {
    return this.#medians
  }

  /** Takes in a median that was recorded, later than those before it. */
  add(median: Median): void {
    this.#medians.push(median)
    this.#sum += median.price
    this.#moveTo(median.at)
    this.#medians.splice(0, this.#first)
    this.#first = 0
  }

  /** The sum of the medians in the five minutes before a time in milliseconds since 1970. */
  sumBefore(at: number): PriceSum {
    const last = this.#medians.at(-1)
    // Only a clock that was set back shows what it showed before.
    if (last !== undefined && last.at >= at) return sumBefore(this.#medians, at)
    this.#moveTo(at)
    return { count: this.#medians.length - this.#first, sum: this.#sum }
  }

  /** Has the sum count those of the five minutes before a time that is not before the last one's. */
  #moveTo(at: number): void {
    const counts = (median: Median | undefined) => median !== undefined && at - median.at <= WINDOW_MILLIS
    while (counts(this.#medians[this.#first - 1])) this.#sum += this.#medians[--this.#first]?.price ?? 0n
    while (this.#first < this.#medians.length && !counts(this.#medians[this.#first])) {
      this.#sum -= this.#medians[this.#first++]?.price ?? 0n
    }
  }
}
