import { SETTLEMENT_WAIT_MILLIS } from "../arena/SettlementPrice.ts"
import type { Median } from "../arena/Median.ts"

/** Recorded prices by asset. Those that no order can need any more are forgotten. */
export class PriceRecord {
  readonly #medians = new Map<string, Array<Median>>()

  /** Adds medians that ascend in time, behind those that were added before. */
  add(medians: ReadonlyArray<Median>): void {
    for (const median of medians) {
      const known = this.#medians.get(median.asset)
      if (known === undefined) this.#medians.set(median.asset, [median])
      else known.push(median)
    }
    const oldest = (medians[0]?.at ?? 0) - 2 * SETTLEMENT_WAIT_MILLIS
    for (const [asset, known] of this.#medians) {
      const first = indexFrom(known, oldest)
      if (first > 0) this.#medians.set(asset, known.slice(first))
    }
  }

  /** An asset's medians that an order needs: from its expiry to the first safe one at or after its settlement date. */
  of(asset: string, expiryAt: number, settlementAt: number): ReadonlyArray<Median> {
    const known = this.#medians.get(asset) ?? []
    const [first, settled] = [indexFrom(known, expiryAt), indexFrom(known, settlementAt)]
    let end = settled
    while (end < known.length && known[end]?.safe === false) end += 1
    return known.slice(first, end + 1)
  }
}

/** Where the medians begin that are of a time or later. */
const indexFrom = (medians: ReadonlyArray<Median>, at: number): number => {
  let [low, high] = [0, medians.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((medians[middle]?.at ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return low
}
