import { describe, expect } from "bun:test"
import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { repair } from "../../../src/cli/Repairing.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { workingOn } from "../../../src/cli/CommandSource.ts"
import { ProcessLock } from "../../../src/database/ProcessLock.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog, type PlayedLog } from "../../lib/PlayedLog.ts"
import { quiet } from "../../lib/Quiet.ts"

const DAMAGE = [
  "UPDATE ledger_accounts SET balance = balance + 1 WHERE id = (SELECT max(id) FROM ledger_accounts WHERE kind = 'wallet')",
  "UPDATE arena_orders SET quantity = quantity + 1 WHERE id = (SELECT min(id) FROM arena_orders)",
  "UPDATE arena_vault_totals SET yield_generated = yield_generated + 1",
  "DELETE FROM funds WHERE id = (SELECT min(id) FROM funds)",
  "DELETE FROM ledger_holds WHERE id = (SELECT min(id) FROM ledger_holds WHERE status = 'released')",
  "INSERT INTO ledger_receivables VALUES ('forged', 'a/USD/wallet', 1, 1)"
]

const damage = (log: PlayedLog) => Effect.forEach(DAMAGE, (statement) => log.sql(statement), { discard: true })

const failureOf = (exit: Exit.Exit<unknown>): Cause.Cause<never> => (Exit.isFailure(exit) ? exit.cause : Cause.empty)

/** A server that a repair replaced reads no more. */
const repairs = (log: PlayedLog) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly after: unknown }>`SELECT after FROM audit_log WHERE act = 'tables.repair'`
  ).pipe(Effect.provide(workingOn(log.source)))

describe("emporion doctor repair", () => {
  itLive(
    "says what it would do, and makes the tables what the events make of them",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* damage(log)
        const would = yield* repair(log.source, false)
        expect(would).toMatchObject({ done: false, written: 5, removed: 1 })
        expect((yield* replayLog(log.source)).differences).toEqual(would.differences)
        expect(yield* repairs(log)).toEqual([])
        expect(yield* repair(log.source, true)).toEqual({ ...would, done: true })
        expect(yield* replayLog(log.source)).toMatchObject({ ok: true, differences: [] })
        yield* log.server.restart()
        expect(yield* repairs(log)).toEqual([{ after: { written: "5", removed: "1" } }])
        expect(yield* repair(log.source, true)).toMatchObject({ done: true, written: 0, removed: 0 })
        expect(yield* repairs(log)).toHaveLength(1)
      }).pipe(Effect.provide(quiet)),
    60_000
  )

  itLive(
    "has a server write again that its tables stopped",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* log.sql(
          "DELETE FROM arena_commitments WHERE order_id IN (SELECT id FROM arena_orders WHERE status = 'competing')"
        )
        yield* log.server.tick(90_000)
        expect(Cause.pretty(failureOf(yield* Effect.exit(log.sql("SELECT 1"))))).toContain(
          "The tables do not take event"
        )
        expect(yield* repair(log.source, true)).toMatchObject({
          done: true,
          removed: 0,
          unprojected: expect.any(Number)
        })
        yield* log.server.restart()
        yield* log.sql("SELECT 1")
        expect(yield* replayLog(log.source)).toMatchObject({ ok: true, unprojected: 0 })
      }).pipe(Effect.provide(quiet)),
    60_000
  )

  itLive(
    "changes nothing where the events were altered, or a server works",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* damage(log)
        const term = () => log.sql<{ readonly term: string }>("SELECT term::text, sessions FROM writer_term")
        const before = yield* term()
        const busy = yield* Effect.flip(repair(log.source, true)).pipe(
          Effect.provide(Layer.provide(ProcessLock.layer(), workingOn(log.source)))
        )
        expect(busy.message).toContain("Another server works on this database")
        expect(yield* term()).toEqual(before)
        yield* log.sql("UPDATE events SET data = replace(data, '1', '2') WHERE seq = 3")
        const altered = yield* Effect.flip(repair(log.source, true))
        expect(altered.message).toStartWith("The log itself is not what it was, so nothing was changed: event 3")
        // The repair ended the connections of the server.
        const forged = yield* Effect.flatMap(
          SqlClient,
          (sql) => sql`SELECT 1 FROM ledger_receivables WHERE id = 'forged'`
        ).pipe(Effect.provide(workingOn(log.source)))
        expect(forged.length).toBe(1)
      }).pipe(Effect.provide(quiet)),
    60_000
  )
})
