import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Settings } from "../../src/Config.ts"
import { itEffect } from "../lib/Effects.ts"

const retentionOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Settings, ({ retention }) => retention).pipe(Effect.provide(Settings.layerOf(variables)))

describe("Retention settings", () => {
  itEffect("have defaults", () =>
    Effect.gen(function* () {
      expect(yield* retentionOf({})).toEqual({ deliveries: 90, medians: 7, requests: 7, usage: 400 })
    })
  )

  itEffect("take days, and 0 or forever for all time", () =>
    Effect.gen(function* () {
      const variables = {
        RETENTION_DELIVERIES_DAYS: "1",
        RETENTION_MEDIANS_DAYS: "0",
        RETENTION_REQUESTS_DAYS: "30",
        RETENTION_USAGE_DAYS: "Forever"
      }
      expect(yield* retentionOf(variables)).toEqual({
        deliveries: 1,
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
})
