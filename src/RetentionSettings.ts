import { Effect } from "effect"
import { place } from "./FilePlace.ts"
import * as Setting from "./Setting.ts"
import { SettingRefused } from "./Setting.ts"

/** For how many days the rows of each class are kept; infinity: for ever. */
export interface RetentionSettings {
  /** `RETENTION_DELIVERIES_DAYS`, default 90: webhooks' deliveries from their end on, with attempts and events. */
  readonly deliveries: number
  /**
   * `RETENTION_JOURNAL_DAYS`, default for ever, at least 7: the journal and the events that nothing reads back. What is
   * older is in files of {@link journalArchive}.
   */
  readonly journal: number
  /** `JOURNAL_ARCHIVE`: a folder, or s3://bucket/prefix. Undefined where none is named. */
  readonly journalArchive: string | undefined
  /** `RETENTION_MEDIANS_DAYS`, default 7, at least 3: recorded prices. */
  readonly medians: number
  /** `RETENTION_REQUESTS_DAYS`, default 7: the log of requests. */
  readonly requests: number
  /** `RETENTION_USAGE_DAYS`, default 400, at least 93: what companies asked for and did, by day. */
  readonly usage: number
}

const MAX_DAYS = 36_500

/** The variable that names the place of the journal's archive. */
export const JOURNAL_ARCHIVE = "JOURNAL_ARCHIVE"

const FOR_EVER: ReadonlySet<string> = new Set(["0", "forever"])

/** A number of days, or infinity. */
const daysFrom = (min: number): Setting.Reading<number> => {
  const { expected, parse } = Setting.integer(min, MAX_DAYS, "days")
  return {
    expected: `${expected}, or 0 or forever to keep everything`,
    parse: (text) => (FOR_EVER.has(text.toLowerCase()) ? Number.POSITIVE_INFINITY : parse(text))
  }
}

/** The days of the journal, and the place that it needs for them. */
const readJournal = Effect.gen(function* (): Effect.fn.Return<
  Pick<RetentionSettings, "journal" | "journalArchive">,
  SettingRefused
> {
  // A restore reaches any commit of so many days, by the increments of these.
  const journal = yield* Setting.withDefault("RETENTION_JOURNAL_DAYS", daysFrom(7), Number.POSITIVE_INFINITY)
  const journalArchive = yield* Setting.optional(JOURNAL_ARCHIVE, place)
  if (Number.isFinite(journal) && journalArchive === undefined) {
    const expected = `${place.expected}, because RETENTION_JOURNAL_DAYS moves the journal there`
    return yield* new SettingRefused({ variable: JOURNAL_ARCHIVE, given: undefined, expected })
  }
  return { journal, journalArchive }
})

const readDays = Effect.all({
  deliveries: Setting.withDefault("RETENTION_DELIVERIES_DAYS", daysFrom(1), 90),
  // A day is complete for an archive some hours after its end.
  medians: Setting.withDefault("RETENTION_MEDIANS_DAYS", daysFrom(3), 7),
  requests: Setting.withDefault("RETENTION_REQUESTS_DAYS", daysFrom(1), 7),
  // A request for statistics may ask for 92 days.
  usage: Setting.withDefault("RETENTION_USAGE_DAYS", daysFrom(93), 400)
})

/** Reads for how long rows are kept. */
export const readRetention: Effect.Effect<RetentionSettings, SettingRefused> = Effect.zipWith(
  readDays,
  readJournal,
  (days, journal) => ({ ...days, ...journal })
)
