import type { Instrument } from "../../engine/arena/Instrument.ts"
import { priceProblem, type PriceProblem, type RecordedPrice, WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import type { SourcedMedian } from "./MedianRepository.ts"

/** The oracles' word is taken fresh or not at all: they leave out what is stale. */
const FRESH_FOR_MILLIS = 0

/** The last five minutes of each asset's recorded medians. */
export class PriceWindow {
  readonly #medians = new Map<string, Array<SourcedMedian>>()

  add(median: SourcedMedian): void {
    const window = this.#medians.get(median.asset) ?? []
    window.push(median)
    while (window[0] !== undefined && window[0].at < median.at - WINDOW_MILLIS) window.shift()
    this.#medians.set(median.asset, window)
  }

  latest(asset: string): SourcedMedian | undefined {
    return this.#medians.get(asset)?.at(-1)
  }

  /** Whether the asset has a median of this moment or a later one: there is one a moment, and none comes before another. */
  reaches(asset: string, now: number): boolean {
    const last = this.latest(asset)
    return last !== undefined && last.at >= now
  }

  /** What is wrong with an instrument whose price now is this one, or whose last one it is while there is none. */
  problem(instrument: Instrument, price: RecordedPrice | undefined, now: number): PriceProblem | undefined {
    const recorded = this.#medians.get(instrument.asset) ?? []
    const band = { type: instrument.assetType, recorded, freshFor: FRESH_FOR_MILLIS }
    return priceProblem(price ?? recorded.at(-1), band, now)
  }
}
