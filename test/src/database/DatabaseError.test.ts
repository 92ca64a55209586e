import { describe, expect } from "bun:test"
import { Cause, Data, Effect, Exit, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isPassing, sqlState, unavailableOrDie } from "../../../src/database/DatabaseError.ts"
import { withLayer } from "../../lib/Effects.ts"
import { emptyLayer } from "../../lib/TestDatabase.ts"

class Other extends Data.TaggedError("Other")<{}> {}

/** What PostgreSQL itself answers under a code. */
const raise = (code: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'told' USING ERRCODE = '${code}'; END $$`).unprepared
  )

describe("a failure of the database", () => {
  const it = withLayer(emptyLayer)

  it("passes when the server, a resource or a time limit is the reason", () =>
    Effect.gen(function* () {
      const states = ["08006", "53300", "53100", "57P01", "57P03", "57014", "58030", "40001", "40P01", "55P03", "25006"]
      for (const state of states) {
        const error = yield* Effect.flip(raise(state))
        expect([state, sqlState(error), isPassing(error)]).toEqual([state, state, true])
        const unavailable = yield* Effect.flip(unavailableOrDie(raise(state)))
        expect(unavailable._tag).toBe("Unavailable")
        expect(unavailable.reason).toContain("told")
      }
    }))

  it("is a defect when the statement is the reason", () =>
    Effect.gen(function* () {
      for (const state of ["42601", "42P01", "23505", "23514", "22003", "22P02", "P0001", "42501", "25P02"]) {
        const exit = yield* Effect.exit(unavailableOrDie(raise(state)))
        const isDefect = Exit.isFailure(exit) && Cause.hasDies(exit.cause)
        expect([state, isDefect]).toEqual([state, true])
      }
    }))

  it("leaves other errors and successes as they are", () =>
    Effect.gen(function* () {
      const failing: Effect.Effect<number, Other | SqlError> = Effect.fail(new Other())
      expect((yield* Effect.flip(unavailableOrDie(failing)))._tag).toBe("Other")
      expect(yield* unavailableOrDie(Effect.succeed(3))).toBe(3)
    }))

  it("passes when a statement takes longer than its limit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 20`, sql`SELECT pg_sleep(5)`))
      expect((yield* Effect.flip(unavailableOrDie(slow)))._tag).toBe("Unavailable")
    }))

  it("passes when the connection is ended by the server, and the pool heals", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const ended = sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      expect((yield* Effect.flip(unavailableOrDie(ended)))._tag).toBe("Unavailable")
      expect(yield* unavailableOrDie(sql`SELECT 1 AS one`).pipe(Effect.retry(Schedule.spaced(20)))).toEqual([
        { one: 1 }
      ])
    }))
})
