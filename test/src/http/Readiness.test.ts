import { describe, expect } from "bun:test"
import { Effect, Fiber, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { RESEND_LIMIT } from "../../../engine/journal/GroupWriter.ts"
import { Readiness } from "../../../src/http/Readiness.ts"
import { itEffect, itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

/** What PostgreSQL says where its disk is full. */
const DISK_FULL = `
  CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`

const checked = <E>(probe: Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const readiness = yield* Readiness
    const fiber = yield* Effect.forkChild(Effect.result(readiness.check))
    yield* TestClock.adjust("3 seconds")
    return (yield* Fiber.join(fiber))._tag
  }).pipe(Effect.provide(Readiness.layer(probe)))

describe("Readiness", () => {
  itEffect("is that of the services behind, within a bound", () =>
    Effect.gen(function* () {
      expect(yield* checked(Effect.void)).toBe("Success")
      expect(yield* checked(Effect.fail("away"))).toBe("Failure")
      expect(yield* checked(Effect.die("broken"))).toBe("Failure")
      expect(yield* checked(Effect.never)).toBe("Failure")
    })
  )

  itEffect("ends with the drain", () =>
    Effect.gen(function* () {
      const readiness = yield* Readiness
      yield* readiness.check
      yield* readiness.drain
      expect((yield* Effect.flip(readiness.check)).message).toBe("The server is shutting down.")
    }).pipe(Effect.provide(Readiness.layer(Effect.void)))
  )

  itLive("ends while the disk is full, although reads are answered, and comes back with the first write", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { id } = yield* server.user()
      const sql = server.service(SqlClient)
      const mint = server.post("/v1/funds", { owner: id, type: "USD", symbol: "1" }, { as: id })
      const ready = Effect.map(server.get("/health/ready"), ({ status }) => status)
      const becomes = (wanted: number) =>
        Effect.repeat(ready, { until: (status) => status === wanted, schedule: Schedule.spaced("10 millis") })
      expect(yield* ready).toBe(200)
      yield* sql.unsafe(DISK_FULL)
      yield* sql`CREATE TRIGGER full_disk BEFORE INSERT ON journal EXECUTE FUNCTION disk_full()`
      const minting = yield* Effect.forkChild(mint)
      yield* becomes(503)
      server.world.elapse(RESEND_LIMIT)
      const { headers, status } = yield* Fiber.join(minting)
      expect([status, headers.has("retry-after")]).toEqual([503, true])
      expect(yield* ready).toBe(503)
      // What the clock is set forward by does not make a failure older.
      server.world.pass(60_000)
      expect(yield* ready).toBe(503)
      expect((yield* server.get("/v1/funds", id)).status).toBe(200)
      yield* sql`DROP TRIGGER full_disk ON journal`
      expect((yield* mint).status).toBe(200)
      expect(yield* ready).toBe(200)
    })
  )
})
