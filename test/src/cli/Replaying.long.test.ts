import fc from "fast-check"
import { join } from "node:path"
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { FAIRNESS_RULES } from "../../../engine/arena/Fairness.ts"
import type { StateTable } from "../../../engine/replay/StateTable.ts"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { arenaCommands } from "../../lib/ArenaCommands.ts"
import { ArenaModelComparison } from "../../lib/ArenaModelComparison.ts"
import { itLive } from "../../lib/Effects.ts"
import { PlayedLog, playedLog } from "../../lib/PlayedLog.ts"
import { property } from "../../lib/Property.ts"
import { quiet } from "../../lib/Quiet.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

interface Tampering {
  readonly table: StateTable
  readonly column: string
  readonly do: string
  readonly undo: string
}

/** A value changed in some row of each table, where the table's own checks let it pass. */
const TAMPERINGS: ReadonlyArray<Tampering> = (
  [
    ["ledger_accounts", "balance", "WHERE id = (SELECT max(id) FROM ledger_accounts WHERE kind = 'wallet')"],
    ["ledger_transfers", "amount", "WHERE id = (SELECT min(id) FROM ledger_transfers WHERE purpose = 'yield')"],
    ["ledger_holds", "amount", "WHERE id = (SELECT min(id) FROM ledger_holds WHERE status = 'released')"],
    ["arena_orders", "quantity", "WHERE id = (SELECT min(id) FROM arena_orders WHERE void_reason IS NOT NULL)"],
    ["arena_commitments", "yield_earned", "WHERE id = (SELECT min(id) FROM arena_commitments WHERE status = 'lost')"],
    ["arena_vault_totals", "yield_generated", ""],
    ["funds", "created_at", "WHERE id = (SELECT max(id) FROM funds)"]
  ] as const
).map(([table, column, where]) => ({
  table,
  column,
  do: `UPDATE ${table} SET ${column} = ${column} + 1 ${where}`,
  undo: `UPDATE ${table} SET ${column} = ${column} - 1 ${where}`
}))

describe("replayLog", () => {
  itLive(
    "derives the very state that a played database holds, and the same from its export",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const report = yield* replayLog(log.source)
        expect(report).toMatchObject({ ok: true, finding: undefined, differences: [] })
        expect(report.state.derived).toBe(report.state.stored!)
        expect(report.choices.recomputed).toBeGreaterThan(3)
        const endings = yield* log.sql<{ readonly ending: string }>(
          "SELECT DISTINCT coalesce(void_reason, status) AS ending FROM arena_orders"
        )
        expect(endings.map(({ ending }) => ending).toSorted()).toEqual(
          expect.arrayContaining([
            "breaker_open_at_expiry",
            "competing",
            "no_reference_price",
            "no_settlement_price",
            "settled"
          ])
        )
        const [{ yields } = { yields: 0 }] = yield* log.sql<{ readonly yields: number }>(
          "SELECT count(*)::int AS yields FROM ledger_transfers WHERE purpose = 'yield'"
        )
        expect(yields).toBeGreaterThan(0)
        const file = join(yield* temporaryFolder, "events.jsonl")
        yield* exportEvents(log.source, file)
        const exported = yield* replayLog({ _tag: "File", path: file })
        expect(exported).toEqual({ ...report, state: { ...report.state, stored: undefined } })
      }),
    60_000
  )

  itLive(
    "names a row that is not what the events make of it, with the event that wrote it",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        for (const { table, column, ...tampering } of TAMPERINGS) {
          yield* log.sql(tampering.do)
          const { ok, state, differences } = yield* replayLog(log.source)
          expect([ok, state.derived === state.stored]).toEqual([false, false])
          expect(differences).toMatchObject([{ table, column, event: { seq: expect.any(Number) } }])
          expect(BigInt(differences[0]!.stored!) - BigInt(differences[0]!.expected!)).toBe(1n)
          yield* log.sql(tampering.undo)
        }
        yield* log.sql("INSERT INTO ledger_receivables VALUES ('forged', 'a/USD/wallet', 1, 1)")
        const forged = yield* replayLog(log.source)
        expect(forged.differences).toMatchObject([{ table: "ledger_receivables", key: "forged", event: undefined }])
        yield* log.sql("DELETE FROM ledger_receivables WHERE id = 'forged'")
        yield* log.sql("DELETE FROM funds WHERE id = (SELECT min(id) FROM funds)")
        const lost = yield* replayLog(log.source)
        expect(lost.differences).toMatchObject([{ table: "funds", column: undefined, stored: undefined }])
      }),
    60_000
  )

  itLive(
    "derives the state of any play, under each rule",
    () =>
      Effect.promise(() =>
        Promise.resolve(
          fc.assert(
            fc.asyncProperty(fc.constantFrom(...FAIRNESS_RULES), arenaCommands, (rule, commands) =>
              Effect.runPromise(
                Effect.gen(function* () {
                  const comparison = yield* ArenaModelComparison.make(rule)
                  for (const command of commands) yield* comparison.do(command)
                  const report = yield* replayLog(new PlayedLog(comparison.server).source)
                  expect(report).toMatchObject({ ok: true, finding: undefined, differences: [] })
                  expect(report.events).toBeGreaterThan(0)
                }).pipe(Effect.scoped, Effect.provide(quiet))
              )
            ),
            { ...property(100), endOnFailure: true }
          )
        )
      ),
    120_000
  )
})
