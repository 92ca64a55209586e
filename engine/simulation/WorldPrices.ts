/** How much prices move, measured from what was recorded, and a walk that moves them as much. */

import { type FinePrice, fineFromAmount } from "../arena/FinePrice.ts"
import type { KeyedHash } from "../arena/KeyedHash.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { type PriceWalk, priceWalk, STEP_MILLIS } from "../arena/PriceWalk.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { integerSquareRoot } from "../money/Power.ts"
import { fromUnits, ONE, type Rate } from "../money/Rate.ts"
import type { ExportedWorld } from "./ExportedWorld.ts"

/** A price of something, at a time in milliseconds. */
export interface PricePast {
  readonly at: number
  readonly price: Amount
}

/** The fewest moves that a volatility is told from. */
export const FEWEST_MOVES = 8

const DAY_MILLIS = 86_400_000n

/** Whole market seconds of a step of the walk that is scaled; any would do. */
const SPEED = 600

/** Prices by time, one a moment: of several the one that is least, so that their sequence does not matter. */
const distinct = (past: ReadonlyArray<PricePast>): ReadonlyArray<PricePast> =>
  past
    .toSorted((one, other) => one.at - other.at || (one.price < other.price ? -1 : 1))
    .filter(({ at }, index, all) => at !== all[index - 1]?.at)

/** The last of some prices; undefined where there is none. */
export const lastOf = (past: ReadonlyArray<PricePast>): Amount | undefined => distinct(past).at(-1)?.price

/**
 * The standard deviation of a day: √(Σ r² ÷ Σ t) of the simple returns r over the times t between one price and the next, for
 * they come at any distance (Andersen and Bollerslev, 1998: realized variance is the sum of squared returns). Null for fewer
 * than {@link FEWEST_MOVES}.
 */
export const dailyVolatility = (past: ReadonlyArray<PricePast>): Rate | null => {
  const prices = distinct(past)
  const [first, last] = [prices[0], prices.at(-1)]
  if (first === undefined || last === undefined || prices.length <= FEWEST_MOVES) return null
  const squares = prices.slice(1).reduce((sum, { price }, index) => {
    const before = prices[index]?.price ?? price
    const move = before === 0n ? 0n : ((price - before) * ONE) / before
    return sum + move * move
  }, 0n)
  return fromUnits(integerSquareRoot((squares * DAY_MILLIS) / BigInt(last.at - first.at)))
}

/** The prices that a simulation goes on from. */
export interface PastPrices extends Pick<ExportedWorld, "prices" | "path"> {
  /** Milliseconds of the market in a step of the walk. */
  readonly step: number
}

const variance = (moves: ReadonlyArray<bigint>): bigint =>
  moves.length === 0 ? 0n : moves.reduce((sum, move) => sum + move * move, 0n) / BigInt(moves.length)

/** What a series' moves are to be multiplied by, in 10⁻¹², to have the volatility; undefined where they never move. */
const scaleOf = (moves: ReadonlyArray<bigint>, volatility: bigint, step: number): bigint | undefined => {
  const real = variance(moves)
  // Moves are in 10⁻²⁴, a volatility is in 10⁻¹²: squared, one is 10²⁴ times the other.
  const wanted = (volatility * volatility * ONE * ONE * BigInt(step)) / DAY_MILLIS
  return real === 0n ? undefined : integerSquareRoot((wanted * ONE * ONE) / real)
}

const middle = (values: ReadonlyArray<bigint>): bigint | undefined =>
  values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))[Math.floor(values.length / 2)]

/**
 * The walk of real returns, but that each price begins at its last recorded one and moves in a step of `step` market
 * milliseconds by its recorded volatility. One without moves as much more or less than in the real days as those that have one
 * do in the middle; where none has, as in the real days.
 */
export const walkFrom = (history: PriceHistory, hash: KeyedHash, { prices, step }: PastPrices): PriceWalk => {
  const walk = priceWalk(history, hash, SPEED)
  const scales = new Map(
    walk.series.flatMap(({ asset, moves }) => {
      const volatility = prices[asset]?.volatility ?? null
      const scale = volatility === null ? undefined : scaleOf(moves, volatility, step)
      return scale === undefined ? [] : [[asset, scale] as const]
    })
  )
  const usual =
    middle([...scales.values()]) ?? integerSquareRoot((ONE * ONE * BigInt(step)) / BigInt(STEP_MILLIS * SPEED))
  const series = walk.series.map((one) => {
    const last = prices[one.asset]?.last ?? ZERO
    const scale = scales.get(one.asset) ?? usual
    return {
      ...one,
      start: last === ZERO ? one.start : fineFromAmount(last),
      moves: one.moves.map((move) => (move * scale) / ONE)
    }
  })
  return { ...walk, series }
}

/** The recorded prices of a step, from 0, by asset; none after the last. */
export const recordedAt = ({ path }: PastPrices, step: number): ReadonlyMap<string, FinePrice> =>
  new Map(
    path?.prices[step]?.flatMap((price, index): ReadonlyArray<readonly [string, FinePrice]> => {
      const asset = path.assets[index]
      return asset === undefined || price === 0n ? [] : [[asset, fineFromAmount(price)]]
    })
  )
