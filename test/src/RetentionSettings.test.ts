import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const retentionOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Settings, ({ retention }) => retention).pipe(Effect.provide(Settings.layerOf(variables)))

describe("Retention settings", () => {
  itEffect("have defaults", () =>
    Effect.gen(function* () {
      expect(yield* retentionOf({})).toEqual({
        deliveries: 90,
        journal: Infinity,
        journalArchive: undefined,
        medians: 7,
        requests: 7,
        usage: 400
      })
    })
  )

  itEffect("take days, and 0 or forever for all time", () =>
    Effect.gen(function* () {
      const variables = {
        JOURNAL_ARCHIVE: "s3://archives/emporion",
        RETENTION_DELIVERIES_DAYS: "1",
        RETENTION_JOURNAL_DAYS: "7",
        RETENTION_MEDIANS_DAYS: "0",
        RETENTION_REQUESTS_DAYS: "30",
        RETENTION_USAGE_DAYS: "Forever"
      }
      expect(yield* retentionOf(variables)).toEqual({
        deliveries: 1,
        journal: 7,
        journalArchive: "s3://archives/emporion",
        medians: Infinity,
        requests: 30,
        usage: Infinity
      })
    })
  )

  itEffect("refuse less than what the program itself reads", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(retentionOf({ RETENTION_USAGE_DAYS: "92" }))
      expect(message).toBe(
        `RETENTION_USAGE_DAYS: expected a whole number of days from 93 to 36500, or 0 or forever to keep everything, not "92".`
      )
      expect((yield* Effect.flip(retentionOf({ RETENTION_MEDIANS_DAYS: "2" }))).variable).toBe("RETENTION_MEDIANS_DAYS")
      expect((yield* Effect.flip(retentionOf({ RETENTION_DELIVERIES_DAYS: "-1" }))).variable).toBe(
        "RETENTION_DELIVERIES_DAYS"
      )
    })
  )

  itEffect("move the journal only where somebody says where to", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(retentionOf({ RETENTION_JOURNAL_DAYS: "90" }))
      expect(message).toBe(
        "JOURNAL_ARCHIVE: expected the absolute path of a folder, such as /archives/emporion, or a bucket, such as s3://archives/emporion, because RETENTION_JOURNAL_DAYS moves the journal there."
      )
      const wrong = { RETENTION_JOURNAL_DAYS: "90", JOURNAL_ARCHIVE: "s3:/archives" }
      expect((yield* Effect.flip(retentionOf(wrong))).variable).toBe("JOURNAL_ARCHIVE")
      const elsewhere = { RETENTION_JOURNAL_DAYS: "90", JOURNAL_ARCHIVE: "gs://archives" }
      expect((yield* Effect.flip(retentionOf(elsewhere))).message).toBe(
        `JOURNAL_ARCHIVE: expected the absolute path of a folder, such as /archives/emporion, or a bucket, such as s3://archives/emporion, not "gs://archives".`
      )
      const short = { RETENTION_JOURNAL_DAYS: "6", JOURNAL_ARCHIVE: "/archive" }
      expect((yield* Effect.flip(retentionOf(short))).variable).toBe("RETENTION_JOURNAL_DAYS")
      expect(yield* retentionOf({ JOURNAL_ARCHIVE: "/archive" })).toMatchObject({
        journal: Infinity,
        journalArchive: "/archive"
      })
    })
  )
})
