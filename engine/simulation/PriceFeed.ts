import { ASSET_TYPES, type AssetType } from "../arena/AssetType.ts"
import type { Problem } from "../arena/CircuitBreaker.ts"
import { amountFromFine } from "../arena/FinePrice.ts"
import { type Instrument, INSTRUMENTS } from "../arena/Instrument.ts"
import type { KeyedHash } from "../arena/KeyedHash.ts"
import type { Median } from "../arena/Median.ts"
import { type PriceProblem, priceProblem } from "../arena/PriceBand.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { advance, begin, type PriceWalk, priceWalk, type WalkState } from "../arena/PriceWalk.ts"
import { SlidingWindow } from "../arena/SlidingWindow.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"

/** Market seconds that pass at each price. */
const WALK_SPEED = 600

/** What the source of prices does now: all prices are off by `factor`, in 10⁻⁶, or there are none. */
export interface Weather {
  readonly isStalled: boolean
  readonly factor: number
}

/** The recorded medians of everything the arena trades, walked from the real closes under a key. */
export class PriceFeed {
  /** By asset, ascending in time. */
  readonly medians = new Map<string, Array<Median>>()
  readonly #windows = new Map<string, SlidingWindow>()
  readonly #walk: PriceWalk
  #state: WalkState

  constructor(history: PriceHistory, hash: KeyedHash) {
    this.#walk = priceWalk(history, hash, WALK_SPEED)
    this.#state = begin(this.#walk, 0, new Map())
  }

  /** Walks a step and records a median of each asset. Answers those recorded and what is wrong with prices now. */
  record(
    now: number,
    { isStalled, factor }: Weather
  ): { readonly recorded: ReadonlyArray<Median>; readonly problems: ReadonlyArray<Problem> } {
    this.#state = advance(this.#walk, this.#state, this.#state.step + 1)
    const recorded: Array<Median> = []
    const problems = new Map<AssetType, PriceProblem>()
    for (const instrument of INSTRUMENTS) {
      const fine = this.#state.prices.get(instrument.asset)
      const price = isStalled || fine === undefined ? undefined : spiked(amountFromFine(fine), factor)
      const problem = this.#judge(instrument, price, now)
      if (problem !== undefined) problems.set(instrument.assetType, problem)
      if (price === undefined || this.#reaches(instrument.asset, now)) continue
      recorded.push({ asset: instrument.asset, at: now, price, safe: problem === undefined })
    }
    for (const median of recorded) this.#series(median.asset).push(median)
    return { recorded, problems: [...problems].flatMap(([type, reason]) => scopesOf(type, reason)) }
  }

  /** The medians of this very moment, by asset. */
  at(now: number): ReadonlyMap<string, Median> {
    const found = new Map<string, Median>()
    for (const [asset, series] of this.medians) {
      const last = series.at(-1)
      if (last?.at === now) found.set(asset, last)
    }
    return found
  }

  /** The medians of an asset from a time on, ascending. */
  since(asset: string, from: number): ReadonlyArray<Median> {
    const series = this.medians.get(asset) ?? []
    return series.slice(firstAt(series, from))
  }

  #series(asset: string): Array<Median> {
    const known = this.medians.get(asset)
    if (known !== undefined) return known
    const made: Array<Median> = []
    this.medians.set(asset, made)
    return made
  }

  #reaches(asset: string, now: number): boolean {
    const last = this.medians.get(asset)?.at(-1)
    return last !== undefined && last.at >= now
  }

  /** A price that was not quoted now is judged as the last one, which is stale. */
  #judge({ asset, assetType }: Instrument, price: Amount | undefined, now: number): PriceProblem | undefined {
    const series = this.#series(asset)
    const newest = price === undefined ? series.at(-1) : { at: now, price }
    const recorded = this.#windows.get(asset) ?? new SlidingWindow(series)
    this.#windows.set(asset, recorded)
    return priceProblem(newest, { type: assetType, recorded, freshFor: 0 }, now)
  }
}

const spiked = (price: Amount, factor: number): Amount => {
  if (factor === Number(ONE)) return price
  const off = (price * BigInt(factor)) / ONE
  return fromUnits(off > 0n ? off : 1n)
}

/** The index of the first median at or after a time. */
const firstAt = (series: ReadonlyArray<Median>, from: number): number => {
  let low = 0
  let high = series.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((series[middle]?.at ?? from) < from) low = middle + 1
    else high = middle
  }
  return low
}

/** An asset's problem is its type's, and the options' that are written on commodities. */
const scopesOf = (type: AssetType, reason: PriceProblem): ReadonlyArray<Problem> =>
  ASSET_TYPES.filter((scope) => scope === type || (scope === "options" && type === "commodity")).map((scope) => ({
    scope,
    reason
  }))
