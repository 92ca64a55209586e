import { describe, expect } from "bun:test"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as BoundedClient from "../../../src/database/BoundedClient.ts"
import { unavailableOrDie } from "../../../src/database/DatabaseError.ts"
import { withLayer } from "../../lib/Effects.ts"
import { emptyDatabase } from "../../lib/TestDatabase.ts"

/** Milliseconds that a statement may go without an answer here. */
const WAIT = 250

const it = withLayer(
  BoundedClient.layer(Effect.flatMap(emptyDatabase, ({ config }) => BoundedClient.make(config, WAIT)))
)

const failing = <A>(effect: Effect.Effect<A, SqlError>) =>
  Effect.map(Effect.flip(unavailableOrDie(effect)), ({ _tag, reason }) => `${_tag}: ${reason}`)

const SILENT = /^Unavailable: .*did not answer in time/

describe("a client of a database that hangs", () => {
  it("fails a statement that gets no answer, also beside others, and goes on", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const told = yield* Effect.all([failing(sql`SELECT pg_sleep(20)`), failing(sql`SELECT pg_sleep(20)`)], {
        concurrency: "unbounded"
      })
      for (const each of told) expect(each).toMatch(SILENT)
      expect([...(yield* sql`SELECT 1 AS one`)]).toEqual([{ one: 1 }])
    }))

  it("fails a transaction without waiting for its end, takes nothing of it, and goes on", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`CREATE TABLE taken (one integer)`
      const hanging = sql.withTransaction(Effect.andThen(sql`INSERT INTO taken VALUES (1)`, sql`SELECT pg_sleep(20)`))
      expect(yield* failing(hanging)).toMatch(SILENT)
      expect([...(yield* sql.withTransaction(sql`SELECT * FROM taken`))]).toEqual([])
    }))

  it("lets a statement take its time where what runs it says so", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const rows = yield* Effect.provideService(
        sql`SELECT 1 AS one FROM pg_sleep(${(3 * WAIT) / 1_000})`,
        BoundedClient.StatementWait,
        5_000
      )
      expect([...rows]).toEqual([{ one: 1 }])
    }))
})
