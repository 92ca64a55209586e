import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

describe("emporion breaker", () => {
  itLive(
    "resets what a wrong ledger latched, and a running server takes it up at its next look",
    () =>
      Effect.gen(function* () {
        const server = yield* TestServer.make()
        const env = onDatabase(server.databaseUrl)
        const breaker = (name: string) => commandHere(["breaker", name], env)
        const breakers = server.service(Breakers)
        yield* Effect.orDie(breakers.trip([{ scope: "global", reason: "ledger_imbalance" }], server.world.now))
        yield* server.tick(1_000)
        expect(breakers.isLatched()).toBe(true)
        expect((yield* breaker("status")).stdout).toContain("global     open, until it is reset\n")

        const reset = yield* runEmporion(["breaker", "reset"], { env })
        expect([reset.code, reset.stderr]).toEqual([0, ""])
        expect(breakers.isLatched()).toBe(true)
        yield* server.tick(1_000)
        expect([breakers.isLatched(), breakers.statuses().global]).toEqual([false, "half_open"])

        const acts = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`SELECT actor_id, act, subject_id FROM audit_log WHERE act LIKE 'breaker.%'`
          )
        )
        expect(acts).toEqual([{ actor_id: "operator", act: "breaker.reset", subject_id: "global" }])

        const again = yield* breaker("reset")
        expect([again.code, again.stdout]).toEqual([1, ""])
        expect(again.stderr).toContain("Nothing is to be reset: the global breaker is half_open")
        yield* server.restart()
        expect(server.service(Breakers).statuses().global).toBe("half_open")
      }),
    60_000
  )
})
