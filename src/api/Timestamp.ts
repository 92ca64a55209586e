import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** The ISO 8601 text of integer milliseconds since 1970, with `Z`. */
export const isoUtc = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The ISO 8601 text of integer milliseconds since 1970 in UTC, without a zone: the arena order's form. */
export const isoLocal = (milliseconds: number): string => isoUtc(milliseconds).slice(0, -1)

/**
 * Milliseconds since 1970 of an ISO 8601 text with `Z`; undefined where the calendar has no such moment, such as on 30 February,
 * which the runtime takes for one of March.
 */
export const momentOf = (text: string): number | undefined => {
  const at = Date.parse(text)
  const [written = text] = text.slice(0, -1).split(".")
  return Number.isNaN(at) || !isoUtc(at).startsWith(written) ? undefined : at
}

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?$/

interface Form {
  readonly pattern: RegExp
  /** What the text lacks of a time with a zone. */
  readonly suffix: string
  readonly format: (milliseconds: number) => string
  readonly expected: string
  /** What a JSON Schema calls it, if it has a name for it. */
  readonly name?: string
}

const timestamp = ({ expected, format, name, pattern, suffix }: Form) =>
  Schema.String.annotate({ description: expected, ...(name === undefined ? {} : { format: name }) }).pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transformEffect({
        decode: (text, options) => {
          const milliseconds = pattern.test(text) ? momentOf(text + suffix) : undefined
          return milliseconds === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected ${expected}` }, text, options))
            : Effect.succeed(milliseconds)
        },
        encode: (milliseconds: number) => Effect.succeed(format(milliseconds))
      })
    )
  )

/** Milliseconds since 1970 as `2026-01-31T12:00:00.000Z`. Specification 2, timestamps of events and tokens. */
export const UtcTimestamp = timestamp({
  pattern: UTC,
  suffix: "",
  format: isoUtc,
  expected: "an ISO 8601 time with Z, such as 2026-01-31T12:00:00.000Z",
  name: "date-time"
})

/** Milliseconds since 1970 as `2026-01-31T12:00:00.000`, in UTC. Specification 2.16, times of an arena order. */
export const LocalTimestamp = timestamp({
  pattern: LOCAL,
  suffix: "Z",
  format: isoLocal,
  expected: "an ISO 8601 time without zone, such as 2026-01-31T12:00:00.000"
})
