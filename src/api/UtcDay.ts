import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { isoUtc, momentOf } from "./Timestamp.ts"

const DAY = 86_400_000

const EXPECTED = "a day such as 2026-01-31, from 1970 on"

const PATTERN = /^\d{4}-\d\d-\d\d$/

/** A day of UTC as `2026-01-31`, from the days since 1970. */
export const isoDay = (day: number): string => isoUtc(day * DAY).slice(0, 10)

const dayOf = (text: string): number | undefined => {
  const at = PATTERN.test(text) ? momentOf(`${text}T00:00:00Z`) : undefined
  return at !== undefined && at >= 0 ? at / DAY : undefined
}

/** Days since 1970 in UTC, as `2026-01-31`. */
export const UtcDay = Schema.String.annotate({ description: EXPECTED, format: "date" }).pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transformEffect({
      decode: (text, options) => {
        const day = dayOf(text)
        return day === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${EXPECTED}` }, text, options))
          : Effect.succeed(day)
      },
      encode: (day: number) => Effect.succeed(isoDay(day))
    })
  )
)
