import { describe, expect } from "bun:test"
import { Effect, Exit, Layer } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { archivedEvents } from "../../../engine/journal/ArchivedJournal.ts"
import { LEAVING, LEAVING_AT_END } from "../../../engine/journal/LeavingEvents.ts"
import { ArchiveRepository } from "../../../src/backup/ArchiveRepository.ts"
import { BackupFailed } from "../../../src/backup/BackupStore.ts"
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
  calls: fc.nat(7),
  kind: fc.constantFrom("fails" as const, "dies" as const, "is interrupted" as const),
  steps: fc.integer({ min: 1, max: 6 }),
  horizon: fc.double({ min: 0, max: 1.2, noNaN: true }),
  limit: fc.constantFrom(1, 7, 100),
  characters: fc.constantFrom(1_000, 20_000),
  kept: fc.constantFrom(0, 40),
  pageBytes: fc.constantFrom(1, 4_000, 100_000)
})

const STOPS = {
  fails: new BackupFailed({ message: "the place does not answer" }),
  dies: Effect.die(new Error("the process ended")),
  "is interrupted": Effect.interrupt
}

const bodies = (log: PlayedLog) =>
  Effect.map(
    log.sql<{ first_seq: bigint; hash: Uint8Array }>("SELECT first_seq, hash FROM journal ORDER BY first_seq"),
    (rows) => rows.map(({ first_seq, hash }) => `${first_seq} ${Buffer.from(hash).toString("hex")}`)
  )

const nameOf = ({ hash, seq, type }: { readonly seq: bigint | number; readonly type: string; readonly hash: string }) =>
  `${seq} ${type} ${hash}`

const stored = (log: PlayedLog) =>
  Effect.map(
    log.sql<{ seq: bigint; type: string; hash: string }>("SELECT seq, type, encode(hash, 'hex') AS hash FROM events"),
    (events) => events.map(nameOf)
  )

const LEAVES = new RegExp(` (${[...LEAVING, ...LEAVING_AT_END].join("|")}) `)

/** The rows and events that a table or a file has that can be read, and the events that their table has. */
const reachable = (log: PlayedLog, folder: string) =>
  Effect.gen(function* () {
    const inTable = yield* stored(log)
    const rows = yield* log.server.run(
      Effect.gen(function* () {
        const { files, read } = yield* JournalArchive
        return (yield* Effect.forEach(yield* files, read)).flat()
      }).pipe(Effect.provide(JournalArchive.layer(folder).pipe(Layer.provide(ArchiveRepository.layer))))
    )
    const names = rows.map(({ row }) => `${row.firstSeq} ${Buffer.from(row.hash).toString("hex")}`)
    return {
      rows: new Set([...(yield* bodies(log)), ...names]),
      events: new Set([...inTable, ...rows.flatMap(archivedEvents).map(nameOf)]),
      inTable: new Set(inTable)
    }
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
        const events = yield* stored(log)
        const times = yield* log.sql<{ first: bigint; last: bigint }>(
          "SELECT min(recorded_at) AS first, max(recorded_at) AS last FROM journal"
        )
        const [from, to] = [Number(times[0]?.first), Number(times[0]?.last)]
        const failures = new Set<string>()
        for (const { calls, characters, horizon, kept, kind, limit, pageBytes, steps } of fc.sample(stop, 60)) {
          let call = 0
          const fault = Effect.suspend((): Effect.Effect<void, BackupFailed> =>
            call++ === calls ? STOPS[kind] : Effect.void
          )
          const exit = yield* Effect.exit(
            archive(log, faultyStore(folder, fault), {
              horizon: from + horizon * (to - from) + 86_400_000,
              most: steps,
              plan: { kept, limit, characters, pageBytes }
            })
          )
          if (Exit.isFailure(exit)) failures.add(kind)
          const left = yield* reachable(log, folder)
          expect(all.filter((row) => !left.rows.has(row))).toEqual([])
          expect(events.filter((event) => !left.events.has(event))).toEqual([])
          expect(events.filter((event) => !left.inTable.has(event) && !LEAVES.test(event))).toEqual([])
        }
        expect([...failures].toSorted()).toEqual(["dies", "fails", "is interrupted"])
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
          plan: { kept: 0, limit: 5, characters: 1_000, pageBytes: 1_000 }
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
          plan: { kept: 0, limit: 3, characters: 30_000, pageBytes: 4_000 }
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
