import { type Amount, fromUnits } from "../money/Amount.ts"
import * as Power from "../money/Power.ts"
import * as Rate from "../money/Rate.ts"
import { truncateDivide } from "../money/Rounding.ts"
import { YEAR_MILLIS } from "./YieldIndex.ts"

export const OPTION_TYPES = ["call", "put"] as const

export type OptionType = (typeof OPTION_TYPES)[number]

/** A European option, priced at one moment. */
export interface OptionTerms {
  readonly type: OptionType
  /** USD for one unit of the underlying now; above 0. */
  readonly spot: Amount
  /** USD for one unit at expiry; above 0. */
  readonly strike: Amount
  /** A year's standard deviation of logarithmic returns; at least 0. */
  readonly volatility: Rate.Rate
  /** Milliseconds to expiry; 0 or less is expired. */
  readonly remaining: number
}

/**
 * The Black–Scholes premium with an interest of 0, in USD, its time value rounded down. Black and Scholes, "The Pricing
 * of Options and Corporate Liabilities", 1973, formula (13):
 *
 * call = S·Φ(d₁) − K·Φ(d₂), put = K·Φ(−d₂) − S·Φ(−d₁), d₁,₂ = ln(S/K) ÷ σ√T ± σ√T ÷ 2
 *
 * Call − put is exactly S − K, and no premium is below its intrinsic value.
 */
export const premium = (terms: OptionTerms): Amount => fromUnits(intrinsicValue(terms) + timeValue(terms))

/** What the option would pay if it expired now: max(0, S − K) for a call, max(0, K − S) for a put. */
export const intrinsicValue = ({ type, spot, strike }: OptionTerms): Amount => {
  const gain = type === "call" ? spot - strike : strike - spot
  return fromUnits(gain > 0n ? gain : 0n)
}

/**
 * The premium above the intrinsic value, which without interest is the same for a call and a put of one strike. It is
 * computed as the premium of the one that is out of the money, which loses no digits to a difference of large numbers.
 */
const timeValue = ({ spot, strike, volatility, remaining }: OptionTerms): bigint => {
  if (volatility <= 0n || remaining <= 0) return 0n
  const years = Power.ratio(BigInt(remaining), BigInt(YEAR_MILLIS))
  const deviation = Power.multiply(Power.ratio(volatility, Rate.ONE), Power.sqrt(years))
  const distance = Power.divide(Power.ln(Power.ratio(spot, strike)), deviation)
  const d1 = distance + (deviation >> 1n)
  const d2 = d1 - deviation
  const [gained, paid] =
    spot <= strike ? [spot * normalCdf(d1), strike * normalCdf(d2)] : [strike * normalCdf(-d2), spot * normalCdf(-d1)]
  // Toward zero, because far from the money the last place of Φ can make the difference negative.
  return truncateDivide(gained - paid, Power.ONE)
}

const normalCdf = (x: bigint): bigint => Power.normalCdf(Power.fromUnits(x))
