import { Effect } from "effect"
import * as Setting from "./Setting.ts"
import type { SettingRefused } from "./Setting.ts"

/** For how many days the rows of each class are kept; infinity: for ever. */
export interface RetentionSettings {
  /** `RETENTION_DELIVERIES_DAYS`, default 90: webhooks' deliveries from their end on, with attempts and events. */
  readonly deliveries: number
  /** `RETENTION_MEDIANS_DAYS`, default 7, at least 3: recorded prices. */
  readonly medians: number
  /** `RETENTION_REQUESTS_DAYS`, default 7: the log of requests. */
  readonly requests: number
  /** `RETENTION_USAGE_DAYS`, default 400, at least 93: what companies asked for and did, by day. */
  readonly usage: number
}

const MAX_DAYS = 36_500

const FOR_EVER: ReadonlySet<string> = new Set(["0", "forever"])

/** A number of days, or infinity. */
const daysFrom = (min: number): Setting.Reading<number> => {
  const { expected, parse } = Setting.integer(min, MAX_DAYS, "days")
  return {
    expected: `${expected}, or 0 or forever to keep everything`,
    parse: (text) => (FOR_EVER.has(text.toLowerCase()) ? Number.POSITIVE_INFINITY : parse(text))
  }
}

/** Reads for how long rows are kept. */
export const readRetention: Effect.Effect<RetentionSettings, SettingRefused> = Effect.all({
  deliveries: Setting.withDefault("RETENTION_DELIVERIES_DAYS", daysFrom(1), 90),
  // A day is complete for an archive some hours after its end.
  medians: Setting.withDefault("RETENTION_MEDIANS_DAYS", daysFrom(3), 7),
  requests: Setting.withDefault("RETENTION_REQUESTS_DAYS", daysFrom(1), 7),
  // A request for statistics may ask for 92 days.
  usage: Setting.withDefault("RETENTION_USAGE_DAYS", daysFrom(93), 400)
})
