/** Moves the journal's older rows, and the events that nothing reads back, behind files of an archive. */

import { Clock, Effect, Metric } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { GENESIS } from "../../engine/actor/EventChain.ts"
import { type ArchivedEvent, type ArchivedRow, behind, spanOf } from "../../engine/journal/ArchivedJournal.ts"
import { endOf, type JournalRow } from "../../engine/journal/JournalRow.ts"
import { JournalWalk } from "../../engine/journal/JournalWalk.ts"
import { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { link } from "../database/ChainLink.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import type { Step } from "../Retention.ts"
import { ArchiveFailed, type ArchivedFile, AT_ONCE, eventsOf, packed } from "./ArchiveFile.ts"
import { ArchiveRepository } from "./ArchiveRepository.ts"
import { readFrom } from "./JournalArchive.ts"

/** Milliseconds after which a file is written, however short. */
const LONGEST_WAIT = 21_600_000

/** Rows of the journal that are read at once. */
const ROWS_PAGE = 16

/** Files that a process remembers to have read; beyond, it reads them again. */
const READ_FILES = 10_000

/** What the archive does for retention. */
export interface ArchivingPlan {
  /** How many of the last events nothing is archived of, because streams may ask for them again. */
  readonly kept: number
  /** Rows of a table that one step removes at most. */
  readonly limit: number
  /** A file is written once the bodies of the rows that wait have so many characters, or once the first has waited for six hours. */
  readonly characters: number
  /** Bytes of stored bodies that are read at once, unless one is longer. */
  readonly pageBytes: number
}

const archivedSeq = Metric.gauge("emporion_journal_archived_events", {
  description: "The sequence up to which the journal is in files of its archive"
})

const altered = (seq: number, problem: string): ArchiveFailed =>
  new ArchiveFailed({
    message: `The journal is not archived from event ${seq} on, which ${problem}: nothing was removed. Run emporion verify.`
  })

/** The rows that the next file gets; fewer than a file's worth only where the first of them has waited. */
const waiting = Effect.fnUntraced(function* (
  last: ArchivedFile | undefined,
  horizon: number,
  { characters: most, kept, pageBytes }: ArchivingPlan
) {
  const repository = yield* ArchiveRepository
  const bound = yield* repository.bound(kept)
  const rows: Array<JournalRow> = []
  let characters = 0
  for (let after = last?.last ?? 0; characters < most;) {
    const page = yield* repository.rows(after, { bound, horizon, limit: ROWS_PAGE, bytes: pageBytes })
    const answering = page.findIndex(({ answers }) => answers !== null)
    for (const row of answering === -1 ? page : page.slice(0, answering)) {
      if (characters >= most) break
      rows.push(row)
      characters += row.body.length
      after = row.firstSeq
    }
    if (answering !== -1 || page.length === 0) break
  }
  const isDue = characters >= most || (rows[0]?.recordedAt ?? Infinity) < horizon - LONGEST_WAIT
  return isDue ? rows : []
})

/**
 * Each row with its events as their table has them. Fails unless the rows stand one behind the other, and behind the last
 * file, each as it was hashed, and unless the events are what their entries say, of the type that their data names, and
 * follow one another in their streams.
 */
const withEvents = Effect.fnUntraced(function* (rows: ReadonlyArray<JournalRow>, last: ArchivedFile | undefined) {
  const { events } = yield* ArchiveRepository
  const walk = new JournalWalk(link, last === undefined ? undefined : behind(last))
  const chain = new ChainWalk(link, (rows[0]?.firstSeq ?? 1) - 1)
  const archived: Array<ArchivedRow> = []
  const [from, to] = [rows[0]?.firstSeq ?? 0, rows.at(-1)]
  const found = to === undefined ? [] : yield* events(from, endOf(to).seq)
  let at = 0
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === 0) yield* Effect.yieldNow
    const own = found.slice(at, at + row.count)
    at += row.count
    const finding =
      walk.take(row) ?? own.map((event) => walk.step(event) ?? chain.step(event)).find((one) => one !== undefined)
    if (finding !== undefined) return yield* altered(finding.seq, finding.problem)
    if (own.length !== row.count) return yield* altered(row.firstSeq, "begins a row whose events are not all there")
    archived.push({ row, events: own.map(({ hash, type, version }): ArchivedEvent => ({ version, type, hash })) })
  }
  return archived
})

/** Writes a file of rows, and notes it once it was read back. Answers whether it is noted. */
const write = Effect.fnUntraced(function* (rows: ReadonlyArray<ArchivedRow>, last: ArchivedFile | undefined) {
  const store = yield* BackupStore
  const repository = yield* ArchiveRepository
  const term = (yield* WriterTerm).current()
  const span = spanOf(
    rows.map(({ row }) => row),
    last?.hash ?? GENESIS
  )
  if (span === undefined) return false
  const { content, file } = yield* packed(rows, span)
  yield* store.put(file.name, content)
  yield* readFrom(store, file)
  return yield* repository.add(file, yield* Clock.currentTimeMillis, term)
})

/** A file that is not in the place: it is another place than before, or it cannot be seen now. */
const elsewhere = (file: ArchivedFile, place: string, bytes: number | undefined): ArchiveFailed => {
  const found = bytes === undefined ? "which is not there" : `which has ${bytes} bytes there, and had ${file.bytes}`
  return new ArchiveFailed({
    message: `Nothing was archived or removed: ${eventsOf(file)} of the journal are in ${file.name} of the archive, ${found}. The archive is ${place}: mount it, set JOURNAL_ARCHIVE to the place that has the file, or put a copy of it there.`
  })
}

/** Fails unless the place still has a file. Reads it, once in a process. */
const seeing = () => {
  const read = new Set<string>()
  const see = Effect.fnUntraced(function* (file: ArchivedFile) {
    const store = yield* BackupStore
    const bytes = yield* store.size(file.name)
    if (bytes !== file.bytes) return yield* elsewhere(file, store.place, bytes)
    if (read.has(file.name)) return
    yield* readFrom(store, file)
    if (read.size >= READ_FILES) read.clear()
    read.add(file.name)
  })
  return { see, hasRead: ({ name }: ArchivedFile) => read.has(name) }
}

/**
 * One step of the archive's retention: removes some rows that a file has, or else writes the next file. A file is read
 * before the first of its rows goes, by the process that removes them: wherever a step ends, each row is in its table, or
 * in a file that was read. Nothing is written to a place, or removed, that lacks the file before.
 */
export const archivingStep = (plan: ArchivingPlan) => {
  const { hasRead, see } = seeing()
  const clear = Effect.fnUntraced(function* (
    file: ArchivedFile
  ): Effect.fn.Return<Step, SqlError | ArchiveFailed | BackupFailed, ArchiveRepository | BackupStore | WriterTerm> {
    const repository = yield* ArchiveRepository
    const term = (yield* WriterTerm).current()
    yield* see(file)
    const ended = yield* repository.ended(file, plan.limit)
    for (const earlier of ended.files) if (!hasRead(earlier)) yield* see(earlier)
    const removed = yield* repository.clear(file, { limit: plan.limit, ended: ended.seqs, term })
    if (removed === undefined) return { removed: 0, next: undefined }
    if (removed === 0) yield* repository.cleared(file, term)
    return { removed, next: 0 }
  })
  return Effect.fn("archive.step")(function* (
    horizon: number
  ): Effect.fn.Return<Step, SqlError | ArchiveFailed | BackupFailed, ArchiveRepository | BackupStore | WriterTerm> {
    const repository = yield* ArchiveRepository
    const open = yield* repository.toClear
    if (open !== undefined) return yield* clear(open)
    const last = yield* repository.last
    if (last !== undefined) yield* Metric.update(archivedSeq, last.last)
    const rows = yield* waiting(last, horizon, plan)
    if (rows.length === 0) return { removed: 0, next: undefined }
    const archived = yield* withEvents(rows, last)
    if (last !== undefined) yield* see(last)
    const isNoted = yield* write(archived, last)
    return { removed: 0, next: isNoted ? 0 : undefined }
  })
}
