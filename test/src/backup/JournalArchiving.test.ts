import { describe, expect } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { ArchiveRepository } from "../../../src/backup/ArchiveRepository.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { archive, EVERYTHING, faultyStore, left, settled } from "../../lib/ArchivedLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** What an archiving says that goes no further. */
const refusal = <A>(archiving: Effect.Effect<A>) =>
  Effect.map(Effect.exit(archiving), (exit) => {
    const squashed = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    return squashed instanceof Error ? squashed.message : ""
  })

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
        yield* refused(
          `UPDATE events SET type = 'CompanyUpdated' WHERE seq = ${third}`,
          `UPDATE events SET type = substring(data from '^{"_tag":"(\\w+)') WHERE seq = ${third}`
        )
        yield* refused(
          `UPDATE events SET version = version + 1000000 WHERE seq = ${third}`,
          "UPDATE events SET version = version - 1000000 WHERE version > 1000000"
        )
        // A file that went before its rows did keeps them where they are.
        yield* archive(log, store, { most: 1 })
        expect(yield* last).toBeGreaterThan(reached)
        expect((yield* left(log)).rows).toBe(rows)
        const [named] = yield* log.sql<{ name: string }>("SELECT name FROM journal_archives WHERE NOT cleared")
        renameSync(join(folder, named?.name ?? ""), join(folder, "elsewhere"))
        expect(JSON.stringify(yield* Effect.exit(archive(log, store)))).toContain("which is not there")
        expect((yield* left(log)).rows).toBe(rows)
        renameSync(join(folder, "elsewhere"), join(folder, named?.name ?? ""))
        yield* archive(log, store)
        expect((yield* left(log)).rows).toBe(1)
      }),
    60_000
  )

  itLive(
    "does not go on in a place that lacks the file before",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* settled(log)
        const folder = join(yield* temporaryFolder, "archive")
        const [middle] = yield* log.sql<{ recorded_at: bigint }>(
          "SELECT recorded_at FROM journal ORDER BY first_seq OFFSET (SELECT count(*) / 2 FROM journal) LIMIT 1"
        )
        yield* archive(log, FolderBackups.layer(folder), { horizon: Number(middle?.recorded_at) + 1 })
        const was = yield* left(log)
        expect(was.files).toBeGreaterThan(0)
        const [last] = yield* log.sql<{ name: string }>(
          "SELECT name FROM journal_archives ORDER BY first_seq DESC LIMIT 1"
        )
        const path = join(folder, last?.name ?? "")
        const says = Effect.fnUntraced(function* (problem: string, place = folder) {
          const message = yield* refusal(archive(log, FolderBackups.layer(place)))
          expect(message).toContain(problem)
          expect(message).toContain(last?.name ?? "")
          expect(message).toContain(place)
          expect(yield* left(log)).toEqual(was)
        })
        const empty = join(yield* temporaryFolder, "mount")
        yield* says("Nothing was archived or removed:", empty)
        yield* says(
          `which is not there. The archive is ${empty}: mount it, set JOURNAL_ARCHIVE to the place that has the file, or put a copy of it there.`,
          empty
        )
        expect(existsSync(empty)).toBe(false)
        const bytes = readFileSync(path)
        writeFileSync(path, bytes.subarray(1))
        yield* says(`which has ${bytes.length - 1} bytes there, and had ${bytes.length}`)
        writeFileSync(
          path,
          bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte))
        )
        yield* says("was altered: it hashes to")
        writeFileSync(path, bytes)
        yield* archive(log, FolderBackups.layer(folder))
        expect((yield* left(log)).rows).toBe(1)
      }),
    60_000
  )

  itLive(
    "notes and removes nothing once another process writes, or where a file is not noted",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* settled(log)
        const folder = join(yield* temporaryFolder, "archive")
        const was = yield* left(log)
        const [{ term } = { term: 0n }] = yield* log.sql<{ term: bigint }>("SELECT term FROM writer_term")
        const taken = faultyStore(folder, Effect.asVoid(log.sql("UPDATE writer_term SET term = term + 1")))
        const given = log.sql("UPDATE writer_term SET term = $1", [term])
        const noted = log.sql<{ cleared: boolean }>("SELECT cleared FROM journal_archives")
        expect(yield* archive(log, taken)).toBe(1)
        expect([yield* noted, yield* left(log)]).toEqual([[], was])
        yield* given

        yield* archive(log, FolderBackups.layer(folder), { most: 1 })
        expect(yield* archive(log, taken)).toBe(1)
        expect([yield* noted, yield* left(log)]).toEqual([[{ cleared: false }], was])
        yield* given

        const forgotten = faultyStore(folder, Effect.asVoid(log.sql("DELETE FROM journal_archives")))
        expect(yield* archive(log, forgotten)).toBe(1)
        expect([yield* noted, yield* left(log)]).toEqual([[], was])
      }),
    60_000
  )

  itLive(
    "reads each file whose commitments go with their order's end, and misses those that went before",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* settled(log)
        const folder = join(yield* temporaryFolder, "archive")
        const store = FolderBackups.layer(folder)
        const plan = { ...EVERYTHING, characters: 3_000 }
        const waits = log.sql<{ name: string; seq: bigint }>(`
          SELECT earlier.name, one.seq FROM journal_archives AS file
          JOIN events AS ending ON ending.seq BETWEEN file.first_seq AND file.last_seq
            AND ending.type IN ('OrderSettled', 'OrderVoided')
          JOIN events AS one ON one.stream = ending.stream AND one.type = 'CommitmentSubmitted'
          JOIN journal_archives AS earlier ON one.seq BETWEEN earlier.first_seq AND earlier.last_seq
          WHERE NOT file.cleared AND earlier.cleared LIMIT 1`)
        let found = yield* waits
        for (let steps = 0; found.length === 0 && steps < 500; steps++) {
          yield* archive(log, store, { plan, most: 1 })
          found = yield* waits
        }
        const [first] = found
        expect(first).toBeDefined()
        const path = join(folder, first?.name ?? "")
        const bytes = readFileSync(path)
        const was = yield* left(log)
        renameSync(path, join(folder, "elsewhere"))
        expect(yield* refusal(archive(log, store, { plan }))).toContain(first?.name ?? "")
        expect(yield* left(log)).toEqual(was)
        renameSync(join(folder, "elsewhere"), path)
        writeFileSync(
          path,
          bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte))
        )
        expect(yield* refusal(archive(log, store, { plan }))).toContain("was altered: it hashes to")
        expect(yield* left(log)).toEqual(was)
        writeFileSync(path, bytes)

        const open = `
          SELECT min(one.seq) FROM events AS one WHERE one.type = 'CommitmentSubmitted'
            AND one.seq <= (SELECT max(last_seq) FROM journal_archives)
            AND NOT EXISTS (SELECT FROM events AS ending WHERE ending.stream = one.stream
              AND ending.type IN ('OrderSettled', 'OrderVoided')
              AND ending.seq <= (SELECT max(last_seq) FROM journal_archives))`
        const gone = yield* log.sql<{ seq: bigint }>(`DELETE FROM events WHERE seq = (${open}) RETURNING seq`)
        expect(gone).toHaveLength(1)
        const { finding } = yield* verify({ ...log.source, archive: folder })
        expect(finding?.problem).toBe(
          "is in the journal's archive and not in the tables, although its order has not ended there"
        )
        expect(finding?.seq).toBe(Number(gone[0]?.seq))
      }),
    60_000
  )

  itLive("reads rows whose bodies have so many bytes, but at least one", () =>
    Effect.gen(function* () {
      const log = yield* playedLog
      const bodies = yield* log.sql<{ first: number; bytes: number }>(
        "SELECT first_seq::int AS first, octet_length(body) AS bytes FROM journal ORDER BY first_seq"
      )
      const read = (bytes: number, after = 0) =>
        log.server.run(
          Effect.flatMap(ArchiveRepository, ({ rows }) =>
            rows(after, { bound: Number.MAX_SAFE_INTEGER, horizon: Number.MAX_SAFE_INTEGER, limit: 16, bytes })
          ).pipe(
            Effect.map((rows) => rows.map(({ firstSeq }) => firstSeq)),
            Effect.provide(ArchiveRepository.layer)
          )
        )
      const firsts = bodies.map(({ first }) => first)
      expect(yield* read(1)).toEqual(firsts.slice(0, 1))
      const three = bodies.slice(0, 3).reduce((sum, { bytes }) => sum + bytes, 0)
      expect(yield* read(three)).toEqual(firsts.slice(0, 3))
      expect(yield* read(three - 1)).toEqual(firsts.slice(0, 2))
      expect(yield* read(1, firsts[4])).toEqual([firsts[5]!])
      expect(yield* read(Number.MAX_SAFE_INTEGER)).toEqual(firsts.slice(0, 16))
    })
  )
})
