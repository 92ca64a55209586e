import { describe, expect } from "bun:test"
import { Deferred, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Settings } from "../../../src/Config.ts"
import * as Database from "../../../src/database/Database.ts"
import { itLive } from "../../lib/Effects.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

const databaseOf = (url: string) =>
  Layer.fresh(Database.layer).pipe(Layer.provide(Settings.layerOf({ DATABASE_URL: url, APP_MODE: "sandbox" })))

describe("the database", () => {
  itLive("is the one of DATABASE_URL, with limits on every statement", () =>
    Effect.gen(function* () {
      const { url } = yield* emptyDatabase
      const [row] = yield* Effect.flatMap(
        SqlClient,
        (
          sql
        ) => sql`SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS statement,
          current_setting('lock_timeout') AS lock, current_setting('TimeZone') AS zone`
      ).pipe(Effect.provide(databaseOf(url)))
      expect(row).toEqual({
        name: expect.stringMatching(/^emporion [0-9a-f]{8}$/),
        statement: "30s",
        lock: "4s",
        zone: "UTC"
      })
    })
  )

  itLive("runs transactions side by side, also while statements keep coming", () =>
    Effect.gen(function* () {
      const { url } = yield* emptyDatabase
      const together = 4
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        let inside = 0
        const all = yield* Deferred.make<void>()
        const meeting = sql.withTransaction(
          Effect.andThen(sql`SELECT 1`, () => {
            inside += 1
            return inside === together ? Deferred.succeed(all, undefined) : Deferred.await(all)
          })
        )
        const reading = Effect.repeat(sql`SELECT 1`, { until: () => inside === together })
        yield* Effect.all([reading, reading, ...Array.from({ length: together }, () => meeting)], {
          concurrency: "unbounded",
          discard: true
        })
        expect(inside).toBe(together)
      }).pipe(Effect.provide(databaseOf(url)))
    })
  )

  itLive("is refused at the start when nothing answers, without its password", () =>
    Effect.gen(function* () {
      const url = "postgres://me:hidden@127.0.0.1:1/shop"
      const error = yield* Effect.flip(Layer.build(databaseOf(url)))
      expect(error.message).toStartWith("No connection to DATABASE_URL (127.0.0.1:1/shop): ")
      expect(error.message).not.toContain("hidden")
    })
  )

  itLive("is refused at the start when it does not exist", () =>
    Effect.gen(function* () {
      const url = (yield* emptyDatabase).url.replace(/test_[0-9a-f]+/, "nowhere")
      const error = yield* Effect.flip(Layer.build(Database.layerOf(Database.urlPool(Redacted.make(url)))))
      expect(error.message).toContain('database "nowhere" does not exist')
    })
  )
})
