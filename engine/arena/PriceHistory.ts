import { Data, Result } from "effect"
import { type FinePrice, FINE_ONE, priceFromRate } from "./FinePrice.ts"
import { RATED } from "./Instrument.ts"

/** Daily closes in USD, oldest first. Every asset has one close for each date. */
export interface PriceHistory {
  /** ISO dates, ascending. */
  readonly dates: ReadonlyArray<string>
  readonly closes: ReadonlyMap<string, ReadonlyArray<FinePrice>>
}

/** The text is no table of daily rates; `line` counts from 1. */
export class InvalidHistory extends Data.TaggedError("InvalidHistory")<{
  readonly line: number
  readonly expected: string
}> {}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/
const FEWEST_DAYS = 3

/**
 * Reads comma-separated daily rates: a header `date,eur,gbp,…` and a line for each date, ascending, with how many units
 * of each one USD buys. All of {@link RATED} must be there; other columns are ignored.
 */
export const parseDailyRates = (text: string): Result.Result<PriceHistory, InvalidHistory> => {
  const [header = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","))
  const missing = RATED.find(({ code }) => !header.includes(code))
  if (missing !== undefined) return invalid(1, `a column ${missing.code}`)
  if (rows.length < FEWEST_DAYS) return invalid(rows.length + 1, `at least ${FEWEST_DAYS} days`)
  const dates = rows.map(([date = ""]) => date)
  const unordered = dates.findIndex((date, day) => !ISO_DATE.test(date) || date <= (dates[day - 1] ?? ""))
  if (unordered >= 0) return invalid(unordered + 2, "an ISO date after the one before")
  const closes = new Map<string, ReadonlyArray<FinePrice>>()
  for (const { asset, code, per } of RATED) {
    const column = header.indexOf(code)
    const prices = rows.map((row) => priceFromRate(row[column] ?? "", per))
    const bad = prices.findIndex(Result.isFailure)
    if (bad >= 0) return invalid(bad + 2, `a positive decimal rate in column ${code}`)
    closes.set(
      asset,
      prices.filter(Result.isSuccess).map(({ success }) => success)
    )
  }
  return Result.succeed({ dates, closes })
}

const invalid = (line: number, expected: string) => Result.fail(new InvalidHistory({ line, expected }))

/**
 * The simple daily returns of ascending closes in 10⁻¹², less their mean: they sum to exactly zero, so that drawing
 * from them favours no direction.
 */
export const demeanedReturns = (closes: ReadonlyArray<FinePrice>): ReadonlyArray<bigint> => {
  const returns = closes.slice(1).map((close, day) => {
    const before = closes[day] ?? close
    return ((close - before) * FINE_ONE) / before
  })
  const days = BigInt(returns.length)
  if (days === 0n) return []
  const sum = returns.reduce((total, value) => total + value, 0n)
  const mean = sum / days
  const rest = sum - mean * days
  const unit = rest < 0n ? -1n : 1n
  return returns.map((value, day) => value - mean - (BigInt(day) < rest * unit ? unit : 0n))
}
