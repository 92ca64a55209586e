/** The exchange desk's rates: the spread, the rounding, and when a held rate no longer serves. */

import { type Amount, fromUnits as amountOf } from "../money/Amount.ts"
import * as Power from "../money/Power.ts"
import { convert, fromUnits, ONE, type Rate } from "../money/Rate.ts"
import { ceilDivide, floorDivide } from "../money/Rounding.ts"

/** How long a quoted rate is held, in milliseconds. */
export const QUOTE_HELD_FOR = 60_000

/** What the desk keeps at least: 0.001 of the rate. */
export const LEAST_SPREAD = fromUnits(1_000_000_000n)

/** What the desk keeps at most: half of the rate. Beyond it nothing is quoted. */
export const MOST_SPREAD = fromUnits(500_000_000_000n)

const MILLIS_A_YEAR = 365n * 86_400_000n

/** 10⁻³⁶ in one 10⁻¹². */
const FIXED_PER_RATE = 1_000_000_000_000_000_000_000_000n

export const SIDES = ["Buy", "Sell"] as const

/** Which side of the pair's base the caller takes. Specification 2.14, FX. */
export type Side = (typeof SIDES)[number]

/**
 * What the desk keeps of a rate that it holds: three standard deviations of the price over the time of the quote, so
 * that to wait and see gains nothing on average, and at least {@link LEAST_SPREAD}. Undefined beyond {@link MOST_SPREAD}.
 *
 * @param volatilities - of the base's and the quote's price in USD, yearly; 0 for USD itself
 * @param speed - market seconds that pass in a second, at least 1: more than that where prices are simulated faster
 */
export const spreadOf = (volatilities: ReadonlyArray<Rate>, speed = 1): Rate | undefined => {
  const variance = volatilities.reduce((sum, volatility) => sum + volatility * volatility, 0n)
  const held = ceilDivide(variance * BigInt(QUOTE_HELD_FOR) * BigInt(speed), MILLIS_A_YEAR)
  const deviation = Power.sqrt(Power.fromUnits((held * FIXED_PER_RATE * FIXED_PER_RATE) / Power.ONE))
  const spread = ceilDivide(3n * deviation, FIXED_PER_RATE)
  if (spread > MOST_SPREAD) return undefined
  return spread < LEAST_SPREAD ? LEAST_SPREAD : fromUnits(spread)
}

/** The most digits that a double carries whatever they are: a rate of more would come back as another one. */
const MOST_DIGITS = 15

/** A power of ten: what a rate is a multiple of, so that it has at most {@link MOST_DIGITS} digits. */
const grainOf = (rate: bigint): bigint => 10n ** BigInt(Math.max(0, rate.toString().length - MOST_DIGITS))

const roundedDown = (rate: bigint): Rate => {
  const grain = grainOf(rate)
  return fromUnits((rate / grain) * grain)
}

const roundedUp = (rate: bigint): Rate => {
  const grain = grainOf(rate)
  return fromUnits(ceilDivide(rate, grain) * grain)
}

/**
 * The rate of a pair, from what one unit of each costs in USD, less or more the spread: what a caller gets for one
 * unit of the base that it sells, rounded down, or gives for one that it buys, rounded up. It has at most
 * {@link MOST_DIGITS} digits.
 */
export const rateOf = (side: Side, base: Rate, quote: Rate, spread: Rate): Rate =>
  side === "Sell"
    ? roundedDown(floorDivide(base * (ONE - spread), quote))
    : roundedUp(ceilDivide(base * (ONE + spread), quote))

/**
 * Whether the desk loses nothing by a rate at the prices of the moment: it pays at most what it gets, and takes at least
 * what it gives.
 */
export const isCovered = (side: Side, rate: Rate, base: Rate, quote: Rate): boolean =>
  side === "Sell" ? rate * quote <= base * ONE : rate * quote >= base * ONE

/** What the caller gets, or gives, of the quote for a quantity of the base: never rounded in its favour. */
export const valueAt = (side: Side, quantity: Amount, rate: Rate): Amount =>
  convert(quantity, rate, side === "Sell" ? "floor" : "ceil")

/** Whether a rate is at least as good for a caller as the worst that it accepts. */
export const isAcceptable = (side: Side, rate: Rate, worst: Rate): boolean =>
  side === "Sell" ? rate >= worst : rate <= worst

/** What a unit costs in USD where a price is for several of them, such as 100 JPY. */
export const unitPrice = (price: Amount, per: number): Rate => fromUnits(floorDivide(price * 1_000_000n, BigInt(per)))

/** Nothing at all is paid out for less than this much of the base. */
export const smallestSale = (rate: Rate): Amount => amountOf(rate === 0n ? 0n : ceilDivide(ONE, rate))
