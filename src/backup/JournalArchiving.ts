/** Moves the journal's older rows, and the events that nothing reads back, behind files of an archive. */

import { Clock, Effect, Metric } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { GENESIS } from "../../engine/actor/EventChain.ts"
import { type ArchivedEvent, type ArchivedRow, behind, spanOf } from "../../engine/journal/ArchivedJournal.ts"
import { endOf, type JournalRow } from "../../engine/journal/JournalRow.ts"
import { JournalWalk } from "../../engine/journal/JournalWalk.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import { link } from "../database/ChainLink.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import type { Step } from "../Retention.ts"
import { ArchiveFailed, type ArchivedFile, AT_ONCE, packed } from "./ArchiveFile.ts"
import { ArchiveRepository } from "./ArchiveRepository.ts"
import { readFrom } from "./JournalArchive.ts"

/** Milliseconds after which a file is written, however short. */
const LONGEST_WAIT = 21_600_000

/** Rows of the journal that are read at once: each may be as long as a file. */
const ROWS_PAGE = 16

/** What the archive does for retention. */
export interface ArchivingPlan {
  /** How many of the last events nothing is archived of, because streams may ask for them again. */
  readonly kept: number
  /** Rows of a table that one step removes at most. */
  readonly limit: number
  /** A file is written once the bodies of the rows that wait have so many characters, or once the first has waited for six hours. */
  readonly characters: number
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
  { characters: most, kept }: ArchivingPlan
) {
  const repository = yield* ArchiveRepository
  const bound = yield* repository.bound(kept)
  const rows: Array<JournalRow> = []
  let characters = 0
  for (let after = last?.last ?? 0; characters < most;) {
    const page = yield* repository.rows(after, { bound, horizon, limit: ROWS_PAGE })
    const answering = page.findIndex(({ answers }) => answers !== null)
    for (const row of answering === -1 ? page : page.slice(0, answering)) {
      if (characters >= most) break
      rows.push(row)
      characters += row.body.length
      after = row.firstSeq
    }
    if (answering !== -1 || page.length < ROWS_PAGE) break
  }
  const isDue = characters >= most || (rows[0]?.recordedAt ?? Infinity) < horizon - LONGEST_WAIT
  return isDue ? rows : []
})

/**
 * Each row with its events as their table has them. Fails unless the rows stand one behind the other, and behind the last
 * file, each as it was hashed, and unless the events are what their entries say.
 */
const withEvents = Effect.fnUntraced(function* (rows: ReadonlyArray<JournalRow>, last: ArchivedFile | undefined) {
  const { events } = yield* ArchiveRepository
  const walk = new JournalWalk(link, last === undefined ? undefined : behind(last))
  const archived: Array<ArchivedRow> = []
  const [from, to] = [rows[0]?.firstSeq ?? 0, rows.at(-1)]
  const found = to === undefined ? [] : yield* events(from, endOf(to).seq)
  let at = 0
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === 0) yield* Effect.yieldNow
    const own = found.slice(at, at + row.count)
    at += row.count
    const finding = walk.take(row) ?? own.map((event) => walk.step(event)).find((one) => one !== undefined)
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

/**
 * One step of the archive's retention: removes some rows that a file has, or else writes the next file. A file is read
 * before the first of its rows goes, by the process that removes them: wherever a step ends, each row is in its table, or
 * in a file that was read.
 */
export const archivingStep = (plan: ArchivingPlan) => {
  let read: string | undefined
  const clear = Effect.fnUntraced(function* (
    file: ArchivedFile
  ): Effect.fn.Return<Step, SqlError | ArchiveFailed, ArchiveRepository | BackupStore> {
    const repository = yield* ArchiveRepository
    if (read !== file.name) yield* readFrom(yield* BackupStore, file)
    read = file.name
    const removed = yield* repository.clear(file, plan.limit)
    if (removed === 0) yield* repository.cleared(file)
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
    const isNoted = yield* write(yield* withEvents(rows, last), last)
    return { removed: 0, next: isNoted ? 0 : undefined }
  })
}
