import { DateTime, Schema } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"

/** A time in a body, such as `2026-01-31T12:00:00.000Z`. */
export const Time = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, { expected: "an ISO 8601 time with Z" })
).annotate({ description: "An ISO 8601 time with Z.", format: "date-time" })

/** An amount in a body: a JSON number of USD with at most six decimals. */
export const Usd = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "USD." })

/** Milliseconds since 1970 as a body says them. */
export const timeText = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/** The same of a time that may not have come. */
export const timeTextOrNull = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : timeText(at)

/** The sum of amounts. */
export const sumOf = (amounts: Iterable<Amount>): Amount => {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return fromUnits(sum)
}
