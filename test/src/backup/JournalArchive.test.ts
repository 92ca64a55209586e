import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import * as HistorySealing from "../../../src/arena/history/HistorySealing.ts"
import { archive, left, settled } from "../../lib/ArchivedLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog, type PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** Everything that reads the journal from its start. */
const readings = Effect.fnUntraced(function* (log: PlayedLog, place?: string) {
  const source = { ...log.source, archive: place }
  const file = join(yield* temporaryFolder, "events.jsonl")
  const exported = yield* exportEvents(source, file)
  return {
    verified: yield* verify(source),
    replayed: yield* replayLog(source),
    exported,
    bytes: readFileSync(file, "utf8")
  }
})

describe("The journal's archive", () => {
  itLive(
    "holds what the tables held: verify, replay and export tell the same, and find a changed byte",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* log.server.run(HistorySealing.sealDue)
        yield* settled(log)
        const before = yield* readings(log)
        expect(before.verified).toMatchObject({ ok: true, finding: undefined })
        expect(before.verified.days).toBeGreaterThan(0)
        const was = yield* left(log)

        const folder = join(yield* temporaryFolder, "archive")
        const store = FolderBackups.layer(folder)
        yield* archive(log, store)
        const now = yield* left(log)
        expect(now.files).toBeGreaterThan(3)
        expect(now.rows).toBe(1)
        expect(now.leaving).toBeLessThan(was.leaving)
        expect(was.events - now.events).toBe(was.leaving - now.leaving)
        expect(yield* readings(log, folder)).toEqual(before)
        expect(yield* archive(log, store)).toBe(1)

        // An order that has ended is shown as before, and its actor begins from what is left.
        const [order] = yield* log.sql<{ id: string }>(
          "SELECT order_id AS id FROM arena_commitments JOIN arena_orders ON arena_orders.id = order_id WHERE arena_orders.status = 'settled' LIMIT 1"
        )
        yield* log.server.restart()
        const user = yield* log.server.user()
        const shown = yield* log.server.get<{ readonly competitors: ReadonlyArray<unknown> }>(
          `/api/arena/orders/${order?.id}`,
          user.id
        )
        expect(shown.status).toBe(200)
        expect(JSON.stringify(shown.json)).toContain("commitment_id")
        const terms = { order_id: order?.id, proposed_entry_price: 1, expected_exit_price: 2, quantity: 1 }
        const late = yield* log.server.post("/api/arena/commitments", terms, { as: user.id })
        expect(late.json).toMatchObject({ code: "ARENA_003" })
        const unnamed = yield* log.sql(
          "SELECT id FROM ledger_transfers WHERE NOT EXISTS (SELECT FROM events WHERE seq = event_seq)"
        )
        expect(unnamed).toEqual([])
        const keys = yield* log.sql(
          "SELECT conname FROM pg_constraint WHERE contype = 'f' AND confrelid IN ('events'::regclass, 'journal'::regclass)"
        )
        expect(keys).toEqual([])

        const names = readdirSync(join(folder, "journal")).toSorted()
        const path = join(folder, "journal", names[1] ?? "")
        const bytes = readFileSync(path)
        for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
          writeFileSync(
            path,
            bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
          )
          const source = { ...log.source, archive: folder }
          for (const reading of [Effect.asVoid(verify(source)), Effect.asVoid(replayLog(source))]) {
            const { message } = yield* Effect.flip(reading)
            expect(message).toContain(`journal/${names[1]} of the journal's archive ${folder}, which has events`)
            expect(message).toContain("was altered: it hashes to")
          }
        }
        renameSync(path, join(folder, "elsewhere"))
        const gone = yield* Effect.flip(verify({ ...log.source, archive: folder }))
        expect(gone.message).toMatch(
          /^The journal's events \d+ to \d+ are in its archive, and cannot be read: .*ENOENT/
        )
        expect(gone.message).toContain(`put a copy of journal/${names[1]} there`)
        expect((yield* Effect.flip(verify(log.source))).message).toContain("Set JOURNAL_ARCHIVE, or --archive,")
        renameSync(join(folder, "elsewhere"), path)
        writeFileSync(path, bytes)

        // What may not have left the tables is missed there.
        const [opened] = yield* log.sql<{ seq: bigint }>(
          "DELETE FROM events WHERE seq = (SELECT min(seq) FROM events) RETURNING seq"
        )
        const missed = yield* verify({ ...log.source, archive: folder })
        expect(missed.finding).toMatchObject({
          seq: Number(opened?.seq),
          problem: "is in the journal's archive and not in the tables"
        })
      }),
    60_000
  )
})
