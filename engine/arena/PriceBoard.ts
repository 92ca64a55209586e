import type { Amount } from "../money/Amount.ts"
import { ASSET_TYPES, type AssetType } from "./AssetType.ts"
import type { Problem } from "./CircuitBreaker.ts"
import { type Instrument, instrumentOf, INSTRUMENTS } from "./Instrument.ts"
import type { Median } from "./Median.ts"
import { type PriceProblem, priceProblem, type RecordedPrice } from "./PriceBand.ts"
import { PriceWindow } from "./PriceWindow.ts"

/** What an asset is quoted at now. */
export interface QuotedPrice {
  readonly asset: string
  readonly price: Amount
}

/** The quotes of a moment, judged. */
export interface Judgement<Q extends QuotedPrice> {
  /** The medians to record, each with the quote that it was made of. */
  readonly medians: ReadonlyArray<{ readonly quote: Q; readonly median: Median }>
  readonly problems: ReadonlyArray<Problem>
}

/** The oracles' word is taken fresh or not at all: they leave out what is stale. */
const FRESH_FOR_MILLIS = 0

/** Asset types with prices of their own. */
const PRICED_TYPES = ["commodity", "fx", "gpu"] as const

/** Asset types with options on them. */
const UNDERLYING_TYPES: ReadonlySet<AssetType> = new Set(["commodity"])

/** The last five minutes of each asset's recorded medians, and what is wrong with new quotes beside them. */
export class PriceBoard {
  readonly #windows = new Map<string, PriceWindow>()
  /** What some source has priced since the start: what none ever does is not missed. */
  readonly #priced = new Set<string>()

  /** Takes in a median that was recorded. */
  add(median: Median): void {
    const known = this.#windows.get(median.asset)
    const window = known ?? new PriceWindow()
    if (known === undefined) this.#windows.set(median.asset, window)
    window.add(median)
  }

  /** The last recorded median of an asset, safe or not. */
  latest(asset: string): Median | undefined {
    return this.#windows.get(asset)?.medians.at(-1)
  }

  /** Judges all quotes of a moment. Nothing holds before it is recorded, and {@link add}ed. */
  judge<Q extends QuotedPrice>(quotes: ReadonlyArray<Q>, now: number): Judgement<Q> {
    for (const { asset } of quotes) this.#priced.add(asset)
    const byAsset = new Map(quotes.map((quote) => [quote.asset, quote]))
    const medians: Array<{ readonly quote: Q; readonly median: Median }> = []
    const problems: Array<Problem> = [...withoutPrice(quotes)]
    for (const instrument of INSTRUMENTS) {
      const { asset, assetType } = instrument
      const quote = byAsset.get(asset)
      const problem = this.#problem(instrument, quote && { at: now, price: quote.price }, now)
      if (problem !== undefined && this.#priced.has(asset)) problems.push(...problemsOf(assetType, problem))
      if (quote === undefined || this.#reaches(asset, now)) continue
      medians.push({ quote, median: { asset, at: now, price: quote.price, safe: problem === undefined } })
    }
    return { medians, problems }
  }

  /** Whether the asset has a median of this moment or a later one: there is one a moment, and none comes before another. */
  #reaches(asset: string, now: number): boolean {
    const last = this.latest(asset)
    return last !== undefined && last.at >= now
  }

  /** What is wrong with an instrument whose price now is this one, or whose last one it is while there is none. */
  #problem({ asset, assetType: type }: Instrument, price: RecordedPrice | undefined, now: number) {
    const window = this.#windows.get(asset)
    const recorded = window?.medians ?? []
    const band = {
      type,
      recorded,
      freshFor: FRESH_FOR_MILLIS,
      ...(window && { sumBefore: (at: number) => window.sumBefore(at) })
    }
    return priceProblem(price ?? recorded.at(-1), band, now)
  }
}

/** An asset's problem is its type's, and the options' where options are written on the type. */
const problemsOf = (type: AssetType, reason: PriceProblem): ReadonlyArray<Problem> =>
  ASSET_TYPES.filter((scope) => scope === type || (scope === "options" && UNDERLYING_TYPES.has(type))).map((scope) => ({
    scope,
    reason
  }))

/** The asset types of which nothing has a price now. */
const withoutPrice = (quotes: ReadonlyArray<QuotedPrice>): ReadonlyArray<Problem> => {
  const types = new Set(quotes.map(({ asset }) => instrumentOf(asset)?.assetType))
  return PRICED_TYPES.filter((type) => !types.has(type)).flatMap((type) => problemsOf(type, "missing_price"))
}
