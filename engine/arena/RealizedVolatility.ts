/** The yearly volatility of an asset, from its closes. */

import * as Power from "../money/Power.ts"
import { fromUnits, type Rate } from "../money/Rate.ts"
import { floorDivide } from "../money/Rounding.ts"

/** The days of a year that daily closes are annualized with. */
const DAYS_A_YEAR = 365n

/** 10⁻³⁶ in one 10⁻¹². */
const FIXED_PER_RATE = 1_000_000_000_000_000_000_000_000n

/** The fewest closes with a spread to measure: two returns. */
export const FEWEST_CLOSES = 3

/**
 * The realized volatility of daily closes, oldest first, all in one unit: the sample standard deviation of the
 * logarithmic returns × √365, rounded down. Hull, "Options, Futures, and Other Derivatives", "Estimating volatility from
 * historical data".
 *
 * Dies by `RangeError` for fewer than {@link FEWEST_CLOSES} closes or one that is not positive.
 */
export const realizedVolatility = (closes: ReadonlyArray<bigint>): Rate => {
  const known = volatilities.get(closes)
  if (known !== undefined) return known
  const volatility = measured(closes)
  volatilities.set(closes, volatility)
  return volatility
}

/** Hundreds of logarithms each; closes never change. */
const volatilities = new WeakMap<ReadonlyArray<bigint>, Rate>()

const measured = (closes: ReadonlyArray<bigint>): Rate => {
  if (closes.length < FEWEST_CLOSES) throw new RangeError(`a volatility needs at least ${FEWEST_CLOSES} closes`)
  if (closes.some((close) => close <= 0n)) throw new RangeError("a volatility needs positive closes")
  const logarithms = closes.map((close) => Power.ln(Power.ratio(close, 1n)))
  const returns = logarithms.slice(1).map((logarithm, day) => logarithm - (logarithms[day] ?? logarithm))
  const count = BigInt(returns.length)
  const mean = floorDivide(
    returns.reduce((sum, value) => sum + value, 0n),
    count
  )
  const squares = returns.reduce((sum, value) => sum + (value - mean) * (value - mean), 0n)
  const variance = Power.ratio(squares * DAYS_A_YEAR, Power.ONE * (count - 1n))
  return fromUnits(Power.sqrt(Power.fromUnits(variance / Power.ONE)) / FIXED_PER_RATE)
}
