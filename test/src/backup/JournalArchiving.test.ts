import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { renameSync } from "node:fs"
import { join } from "node:path"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { archive, EVERYTHING, settled } from "../../lib/ArchivedLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog, type PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

interface Left {
  readonly rows: number
  readonly events: number
  readonly leaving: number
  readonly files: number
}

const left = (log: PlayedLog) =>
  Effect.map(
    log.sql<Left>(`
      SELECT (SELECT count(*) FROM journal)::int AS rows, (SELECT count(*) FROM events)::int AS events,
        (SELECT count(*) FROM events WHERE type = 'CommitmentSubmitted')::int AS leaving,
        (SELECT count(*) FROM journal_archives WHERE cleared)::int AS files`),
    ([row]) => row ?? { rows: 0, events: 0, leaving: 0, files: 0 }
  )

describe("Archiving the journal", () => {
  itLive(
    "takes nothing that is young, not told, under an answer that is kept, or among the last events, nor what was altered",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const folder = yield* temporaryFolder
        const store = FolderBackups.layer(folder)
        const was = yield* left(log)
        expect(yield* archive(log, store)).toBe(1)
        yield* settled(log)
        const [middle] = yield* log.sql<{ first_seq: bigint; recorded_at: bigint }>(
          "SELECT first_seq, recorded_at FROM journal ORDER BY first_seq OFFSET (SELECT count(*) / 2 FROM journal) LIMIT 1"
        )
        const horizon = Number(middle?.recorded_at)
        const last = Effect.map(
          log.sql<{ last: bigint | null }>("SELECT max(last_seq) AS last FROM journal_archives"),
          ([row]) => Number(row?.last ?? 0n)
        )
        yield* log.sql("UPDATE journal SET answers = '[]' WHERE first_seq = (SELECT min(first_seq) FROM journal)")
        expect(yield* archive(log, store)).toBe(1)
        yield* log.sql("UPDATE journal SET answers = NULL")
        const plan = { ...EVERYTHING, kept: was.events - 10 }
        yield* archive(log, store, { plan })
        expect(yield* last).toBeLessThan(10)
        yield* archive(log, store, { horizon: horizon + 86_400_000 })
        const [young] = yield* log.sql<{ young: number }>(
          `SELECT count(*)::int AS young FROM journal_archives WHERE recorded_at >= ${horizon + 86_400_000}`
        )
        expect(young).toEqual({ young: 0 })
        const reached = yield* last
        const { rows } = yield* left(log)
        const third = "(SELECT first_seq FROM journal ORDER BY first_seq OFFSET 2 LIMIT 1)"
        const refused = Effect.fnUntraced(function* (what: string, undo: string) {
          yield* log.sql(what)
          const failed = yield* Effect.exit(archive(log, store))
          expect(JSON.stringify(failed)).toContain("nothing was removed. Run emporion verify.")
          expect([yield* last, (yield* left(log)).rows]).toEqual([reached, rows])
          yield* log.sql(undo)
        })
        yield* refused(
          `UPDATE journal SET body = body || ' ' WHERE first_seq = ${third}`,
          `UPDATE journal SET body = rtrim(body) WHERE first_seq = ${third}`
        )
        yield* refused(
          `UPDATE events SET data = data || ' ' WHERE seq = ${third}`,
          `UPDATE events SET data = rtrim(data) WHERE seq = ${third}`
        )
        yield* refused(
          `UPDATE events SET seq = seq + 1000000 WHERE seq = ${third}`,
          "UPDATE events SET seq = seq - 1000000 WHERE seq > 1000000"
        )
        // A file that went before its rows did keeps them where they are.
        yield* archive(log, store, { most: 1 })
        expect(yield* last).toBeGreaterThan(reached)
        expect((yield* left(log)).rows).toBe(rows)
        const [named] = yield* log.sql<{ name: string }>("SELECT name FROM journal_archives WHERE NOT cleared")
        renameSync(join(folder, named?.name ?? ""), join(folder, "elsewhere"))
        expect(JSON.stringify(yield* Effect.exit(archive(log, store)))).toContain("cannot be read")
        expect((yield* left(log)).rows).toBe(rows)
        renameSync(join(folder, "elsewhere"), join(folder, named?.name ?? ""))
        yield* archive(log, store)
        expect((yield* left(log)).rows).toBe(1)
      }),
    60_000
  )
})
