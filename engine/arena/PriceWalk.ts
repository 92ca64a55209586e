/** How simulated prices walk: real daily returns, drawn again under a key. */

import { integerSquareRoot } from "../money/Power.ts"
import { type FinePrice, atLeastSmallest, divideNearest, FINE_ONE, fineFromAmount } from "./FinePrice.ts"
import { GPUS, RATED } from "./Instrument.ts"
import { drawBelow, type KeyedHash } from "./KeyedHash.ts"
import { demeanedReturns, type PriceHistory } from "./PriceHistory.ts"

/** The time between two prices of a simulated asset. */
export const STEP_MILLIS = 1_000

/** The most steps that are walked at once; a longer pause leaves the prices where they stood before these. */
export const CATCH_UP_STEPS = 3_600

const DAY_MILLIS = 86_400_000n
const SQUARE = FINE_ONE * FINE_ONE

/** Assets that move on the same drawn day keep the correlations of the real days. */
type Group = "market" | "gpu"

interface Series {
  readonly asset: string
  readonly group: Group
  readonly start: FinePrice
  /** The move of one step for each real day, in 10⁻²⁴ of the price. */
  readonly moves: ReadonlyArray<bigint>
}

export interface PriceWalk {
  readonly hash: KeyedHash
  /** How many real days a step draws from. */
  readonly days: number
  readonly series: ReadonlyArray<Series>
}

export interface WalkState {
  /** floor(milliseconds since 1970 ÷ {@link STEP_MILLIS}) of these prices. */
  readonly step: number
  /** USD in 10⁻¹² by asset. */
  readonly prices: ReadonlyMap<string, FinePrice>
}

/**
 * A random walk of every instrument: each step multiplies a price by 1 + r·√(speed × step ÷ day), where r is the demeaned
 * return of one real day, drawn under the key for all assets together (a bootstrap, Efron 1979). Its expectation is the
 * price itself and a simulated day has the variance of the real ones; it is drawn toward nothing.
 *
 * `speed` is how many whole market seconds pass in a second, at most 3,600.
 *
 * Accelerators have no daily history: they move by half of silver's returns on days drawn of their own.
 */
export const priceWalk = (history: PriceHistory, hash: KeyedHash, speed = 1): PriceWalk => {
  const root = integerSquareRoot((SQUARE * BigInt(STEP_MILLIS * speed)) / DAY_MILLIS)
  const returnsOf = (asset: string) => demeanedReturns(history.closes.get(asset) ?? [])
  const rated = RATED.map(({ asset }): Series => ({
    asset,
    group: "market",
    start: atLeastSmallest(history.closes.get(asset)?.at(-1) ?? 0n),
    moves: returnsOf(asset).map((value) => value * root)
  }))
  const proxy = returnsOf("XAG").map((value) => (value * root) / 2n)
  const gpus = GPUS.map(({ asset, listPrice }): Series => ({
    asset,
    group: "gpu",
    start: fineFromAmount(listPrice),
    moves: proxy
  }))
  return { hash, days: proxy.length, series: [...rated, ...gpus] }
}

/** The step that a time in milliseconds since 1970 falls into. */
export const stepAt = (millis: number): number => Math.floor(millis / STEP_MILLIS)

/**
 * Where the walk begins or goes on: the prices given, such as the last recorded ones, else the last real close or list
 * price. Prices of assets that the walk does not know are dropped.
 */
export const begin = (walk: PriceWalk, step: number, prices: ReadonlyMap<string, FinePrice>): WalkState => ({
  step,
  prices: new Map(walk.series.map(({ asset, start }) => [asset, prices.get(asset) ?? start]))
})

/** The state at a step. The way there does not matter, up to {@link CATCH_UP_STEPS} at once; the walk never goes back. */
export const advance = (walk: PriceWalk, state: WalkState, step: number): WalkState => {
  if (step <= state.step) return state
  const prices = new Map(state.prices)
  for (let at = Math.max(state.step, step - CATCH_UP_STEPS) + 1; at <= step; at++) take(walk, at, prices)
  return { step, prices }
}

const take = (walk: PriceWalk, step: number, prices: Map<string, FinePrice>): void => {
  const drawn = {
    market: drawBelow(walk.hash, `walk/market/${step}`, walk.days),
    gpu: drawBelow(walk.hash, `walk/gpu/${step}`, walk.days)
  }
  for (const { asset, group, moves, start } of walk.series) {
    const price = prices.get(asset) ?? start
    prices.set(asset, atLeastSmallest(price + divideNearest(price * (moves[drawn[group]] ?? 0n), SQUARE)))
  }
}
