import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ArchiveRepository } from "../../../src/backup/ArchiveRepository.ts"
import { JournalArchive } from "../../../src/backup/JournalArchive.ts"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { archive, faultyStore, settled } from "../../lib/ArchivedLog.ts"
import { backUp, restoreTo } from "../../lib/BackupDrill.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog, type PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** Where a process ends: at one of the store's calls, before or after it, or between two steps. */
const stop = fc.record({
  calls: fc.nat(5),
  kind: fc.constantFrom("fails", "dies", "is interrupted"),
  steps: fc.integer({ min: 1, max: 6 }),
  horizon: fc.double({ min: 0, max: 1.2, noNaN: true }),
  limit: fc.constantFrom(1, 7, 100),
  characters: fc.constantFrom(1_000, 20_000),
  kept: fc.constantFrom(0, 40)
})

const bodies = (log: PlayedLog) =>
  Effect.map(
    log.sql<{ first_seq: bigint; hash: Uint8Array }>("SELECT first_seq, hash FROM journal ORDER BY first_seq"),
    (rows) => rows.map(({ first_seq, hash }) => `${first_seq} ${Buffer.from(hash).toString("hex")}`)
  )

/** The rows that a table or a file has that can be read. */
const reachable = (log: PlayedLog, folder: string) =>
  Effect.gen(function* () {
    const stored = yield* bodies(log)
    const archived = yield* log.server.run(
      Effect.gen(function* () {
        const { files, read } = yield* JournalArchive
        const rows = yield* Effect.forEach(yield* files, read)
        return rows.flat().map(({ row }) => `${row.firstSeq} ${Buffer.from(row.hash).toString("hex")}`)
      }).pipe(Effect.provide(JournalArchive.layer(folder).pipe(Layer.provide(ArchiveRepository.layer))))
    )
    return new Set([...stored, ...archived])
  })

describe("The journal's archive, long", () => {
  itLive(
    "loses no row wherever it stops, and ends where one that never stopped does",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* settled(log)
        const source = { ...log.source }
        const folder = join(yield* temporaryFolder, "archive")
        const before = yield* verify(source)
        const file = join(yield* temporaryFolder, "before.jsonl")
        yield* exportEvents(source, file)
        const all = yield* bodies(log)
        const times = yield* log.sql<{ first: bigint; last: bigint }>(
          "SELECT min(recorded_at) AS first, max(recorded_at) AS last FROM journal"
        )
        const [from, to] = [Number(times[0]?.first), Number(times[0]?.last)]
        let failures = 0
        for (const { calls, characters, horizon, kept, kind, limit, steps } of fc.sample(stop, 60)) {
          let call = 0
          const fault = Effect.suspend(() => {
            if (call++ !== calls) return Effect.void
            return kind === "is interrupted" ? Effect.interrupt : Effect.die(new Error("the process ended"))
          })
          const exit = yield* Effect.exit(
            archive(log, faultyStore(folder, fault), {
              horizon: from + horizon * (to - from) + 86_400_000,
              most: steps,
              plan: { kept, limit, characters }
            })
          )
          if (Exit.isFailure(exit)) failures += 1
          const left = yield* reachable(log, folder)
          expect(all.filter((row) => !left.has(row))).toEqual([])
        }
        expect(failures).toBeGreaterThan(5)
        expect(yield* verify({ ...source, archive: folder })).toEqual(before)
        yield* archive(log, faultyStore(folder, Effect.void))
        expect(yield* verify({ ...source, archive: folder })).toEqual(before)
        const again = join(yield* temporaryFolder, "after.jsonl")
        yield* exportEvents({ ...source, archive: folder }, again)
        expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"))
        expect(yield* log.sql("SELECT first_seq FROM journal")).toHaveLength(1)
      }),
    180_000
  )

  itLive(
    "is named by backups, and needed by a restore of what it took",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const [folder, backups] = [join(yield* temporaryFolder, "archive"), join(yield* temporaryFolder, "backups")]
        const before = yield* verify(log.source)
        expect(yield* backUp(log, backups)).toMatchObject({ kind: "full" })
        yield* settled(log)
        const [middle] = yield* log.sql<{ at: bigint }>(
          "SELECT recorded_at AS at FROM journal ORDER BY first_seq OFFSET 20 LIMIT 1"
        )
        yield* archive(log, faultyStore(folder, Effect.void), {
          horizon: Number(middle?.at) + 1,
          plan: { kept: 0, limit: 5, characters: 1_000 }
        })
        // A full backup that has the rows, and the list of files beside it.
        expect(yield* backUp(log, backups)).toMatchObject({ kind: "increment" })
        const restored = (archiveAt: string | undefined, args: ReadonlyArray<string> = []) =>
          Effect.scoped(
            restoreTo(backups, "latest", {
              args: [...args, ...(archiveAt === undefined ? [] : ["--archive", archiveAt])]
            })
          )
        expect(yield* restored(folder)).toMatchObject({ code: 0, stderr: "", report: { seq: before.events } })

        // The same while its rows are removed, and once nearly all of them are.
        yield* archive(log, faultyStore(folder, Effect.void), {
          most: 3,
          plan: { kept: 0, limit: 3, characters: 30_000 }
        })
        expect(yield* backUp(log, backups, true)).toMatchObject({ kind: "full" })
        expect(yield* restored(folder)).toMatchObject({ code: 0, stderr: "" })
        yield* archive(log, faultyStore(folder, Effect.void))
        expect(yield* backUp(log, backups, true)).toMatchObject({ kind: "full" })
        const nowhere = yield* restored(undefined)
        expect([nowhere.code, nowhere.stderr]).toEqual([
          1,
          expect.stringContaining("Set JOURNAL_ARCHIVE, or --archive,")
        ])
        const { code, report, stderr } = yield* restored(folder)
        expect([code, stderr, report?.seq]).toEqual([0, "", before.events])
        expect(report?.archived).toBeGreaterThan(before.events / 2)
        expect((yield* restored(folder, ["--preview"])).code).toBe(0)
      }),
    180_000
  )
})
