import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import type { Rate } from "../money/Rate.ts"
import { type OptionType, premium } from "./OptionPremium.ts"

/** A day in milliseconds. */
const DAY_MILLIS = 86_400_000

/** An option is written for at least this many days; the longer ones are tried when the premium is too small. */
export const TERM_DAYS = [30, 60, 90, 180, 365] as const

/** The smallest premium an order is made for: 1 USD. */
export const SMALLEST_PREMIUM = ONE

/** How far in the money a strike may be, in percent of the spot price, when none at the money costs enough. */
const DEEPEST_PERCENT = 50n

/** What the market maker writes: an option with its volatility frozen, and what it costs now. */
export interface OptionContract {
  readonly type: OptionType
  readonly strike: Amount
  /** Milliseconds since 1970: a midnight UTC at least 30 days ahead. */
  readonly expiryAt: number
  readonly volatility: Rate
  readonly premium: Amount
}

/** The grid of strikes for a price: the largest 1, 2 or 5 × 10ⁿ within a fiftieth of it, at least 10⁻⁶. */
export const strikeTick = (spot: Amount): Amount => {
  const largest = spot / 50n
  let tick = 1n
  while (tick * 10n <= largest) tick *= 10n
  return fromUnits(tick * 5n <= largest ? tick * 5n : tick * 2n <= largest ? tick * 2n : tick)
}

/** The price on its grid of strikes, to the nearest, halves up; never 0 for a positive price. */
export const strikeAtTheMoney = (spot: Amount): Amount => {
  const tick = strikeTick(spot)
  return fromUnits(((2n * spot + tick) / (2n * tick)) * tick)
}

/** The first midnight UTC at or after `at` + `days`. */
export const expiryAfter = (at: number, days: number): number =>
  Math.ceil((at + days * DAY_MILLIS) / DAY_MILLIS) * DAY_MILLIS

/**
 * The contract to write on an underlying at `spot`: at the money for the shortest of {@link TERM_DAYS} whose premium is
 * at least 1 USD, else for 30 days with the strike moved into the money, a tick at a time, to half the spot price away.
 *
 * `undefined` when even that costs less than 1 USD, as it does below 2 USD of spot price, and may up to two ticks above.
 */
export const writeContract = (
  type: OptionType,
  spot: Amount,
  volatility: Rate,
  at: number
): OptionContract | undefined => {
  const priced = (strike: Amount, days: number): OptionContract => {
    const expiryAt = expiryAfter(at, days)
    return {
      type,
      strike,
      expiryAt,
      volatility,
      premium: premium({ type, spot, strike, volatility, remaining: expiryAt - at })
    }
  }
  const enough = (contract: OptionContract): boolean => contract.premium >= SMALLEST_PREMIUM
  const middle = strikeAtTheMoney(spot)
  return (
    TERM_DAYS.map((days) => priced(middle, days)).find(enough) ??
    strikesInTheMoney(type, spot, middle)
      .map((strike) => priced(strike, TERM_DAYS[0]))
      .find(enough)
  )
}

const strikesInTheMoney = (type: OptionType, spot: Amount, middle: Amount): ReadonlyArray<Amount> => {
  const step = type === "call" ? -strikeTick(spot) : strikeTick(spot)
  const furthest = (spot * DEEPEST_PERCENT) / 100n
  const strikes: Array<Amount> = []
  for (let strike = middle + step; distance(strike, spot) <= furthest; strike += step) strikes.push(fromUnits(strike))
  return strikes
}

const distance = (one: bigint, other: bigint): bigint => (one < other ? other - one : one - other)
