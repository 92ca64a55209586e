import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onDatabase } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const DAY = 86_400_000

describe("emporion time", () => {
  itLive(
    "sets the clock for the server to follow, once at a time, and says what it says",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const env = { ...onDatabase(server.databaseUrl), APP_MODE: "sandbox" }
        const time = (...args: ReadonlyArray<string>) => commandHere(["time", ...args], env)
        expect((yield* time("show")).stdout).toMatch(/^\S+Z, as the machine's\n$/)

        const begun = yield* time("advance", "3", "days", "--no-wait", "--json")
        const { ahead_seconds: ahead, now, until } = JSON.parse(begun.stdout)
        expect([begun.code, ahead, Math.round((Date.parse(until) - Date.parse(now)) / 1_000)]).toEqual([
          0,
          0,
          (3 * DAY) / 1_000
        ])
        const again = yield* time("advance", "1", "hour")
        expect([again.code, again.stdout]).toEqual([1, ""])
        expect(again.stderr).toContain("still being set forward: wait until it is there.")

        const sql = yield* server.run(SqlClient)
        expect((yield* time("stop")).stdout).toMatch(/Z, as the machine's\n$/)
        // It goes nowhere any more, which is nothing to note.
        expect((yield* time("stop")).stdout).toMatch(/Z, as the machine's\n$/)
        expect((yield* time("advance", "1", "hour")).stdout).toContain("no server works on this database")
        yield* sql`UPDATE sandbox_clock SET lead = ${3 * DAY}, until = NULL`
        expect((yield* time("show")).stdout).toMatch(/Z, 259200 s ahead of the machine's\n$/)
        yield* sql`UPDATE sandbox_clock SET until = 4000000000000`
        yield* time("stop")
        const [last] = yield* sql<{ readonly at: bigint }>`SELECT at FROM audit_log ORDER BY id DESC LIMIT 1`
        expect(Number(last?.at) - (yield* Clock.currentTimeMillis)).toBeGreaterThan(2.9 * DAY)
        expect(yield* sql`SELECT actor_id, act, subject_id FROM audit_log WHERE act LIKE 'sandbox.%'`).toEqual([
          { actor_id: "operator", act: "sandbox.set_clock", subject_id: "clock" },
          { actor_id: "operator", act: "sandbox.stop_clock", subject_id: "clock" },
          { actor_id: "operator", act: "sandbox.set_clock", subject_id: "clock" },
          { actor_id: "operator", act: "sandbox.stop_clock", subject_id: "clock" }
        ])
      }),
    60_000
  )

  itLive(
    "refuses what is no time to come, and what is no sandbox",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const env = { ...onDatabase(server.databaseUrl), APP_MODE: "sandbox" }
        const refused = (words: string, change: Readonly<Record<string, string>> = {}) =>
          Effect.map(
            commandHere(["time", "advance", ...words.split(" ")], { ...env, ...change }),
            ({ code, stderr }) => ({
              code,
              stderr
            })
          )
        expect((yield* refused("0 days")).code).toBe(2)
        expect((yield* refused("1 fortnight")).code).toBe(2)
        expect((yield* refused("13 months")).stderr).toContain("366 days ahead, and go on from there.")
        expect((yield* refused("1 day", { APP_MODE: "production" })).stderr).toContain(
          "A production server has the machine's time"
        )
        const unsaid = yield* commandHere(["time", "advance", "1", "day"], { DATABASE_URL: server.databaseUrl })
        expect([unsaid.code, unsaid.stderr]).toEqual([
          2,
          expect.stringContaining("Set APP_MODE=sandbox if") as unknown as string
        ])
        const sql = yield* server.run(SqlClient)
        yield* sql`DROP TABLE sandbox_clock`
        expect(yield* refused("1 day")).toEqual({
          code: 1,
          stderr:
            'emporion: This database has not the tables of this version (relation "sandbox_clock" does not exist): start the server on it once, or name another.\n'
        })
      }),
    60_000
  )
})
