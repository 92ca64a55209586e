import { Effect, Layer, type Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import { type Finding, findingAt, type StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import { JournalWalk, type TailEntry } from "../../engine/journal/JournalWalk.ts"
import { archivedEvents } from "../../engine/journal/ArchivedJournal.ts"
import { LeavingEvents } from "../../engine/journal/LeavingEvents.ts"
import type { ArchiveFailed, ArchivedFile } from "../backup/ArchiveFile.ts"
import { ArchiveRepository } from "../backup/ArchiveRepository.ts"
import { JournalArchive } from "../backup/JournalArchive.ts"
import { CommitmentRepository } from "../arena/CommitmentRepository.ts"
import { HistoryFiles } from "../arena/history/HistoryFiles.ts"
import { HistoryRepository } from "../arena/history/HistoryRepository.ts"
import { YieldRepository } from "../arena/history/YieldRepository.ts"
import { MedianRepository } from "../arena/MedianRepository.ts"
import { OrderRepository } from "../arena/OrderRepository.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import { HorizonRepository } from "../database/HorizonRepository.ts"
import { atUrl, inDataDir, type ReadingFailed } from "../database/ReadOnlyDatabase.ts"
import { ReadingProgress } from "./ReadingProgress.ts"
import { hashing } from "./ReplayHashes.ts"
import type { EventFileFailed } from "./EventFile.ts"
import type { EventPage, NextPage } from "./ExportReader.ts"

/** Where events are. `archive` is where the journal's archive is, unless the environment says it. */
export type Source =
  | { readonly _tag: "Database"; readonly url: Redacted.Redacted; readonly archive?: string | undefined }
  | { readonly _tag: "DataDir"; readonly folder: string; readonly archive?: string | undefined }
  | { readonly _tag: "File"; readonly path: string }

export type LogFailure = SqlError | ReadingFailed | EventFileFailed | ArchiveFailed

/** The repositories of a source that is a database. */
export const databaseOf = (
  source: Exclude<Source, { readonly _tag: "File" }>
): Layer.Layer<
  EventLogRepository | HistoryRepository | HistoryFiles | MedianRepository | JournalArchive,
  ReadingFailed
> =>
  HistoryFiles.layer.pipe(
    Layer.provide(
      Layer.mergeAll(OrderRepository.layer, CommitmentRepository.layer, YieldRepository.layer, HorizonRepository.layer)
    ),
    Layer.provideMerge(Layer.mergeAll(EventLogRepository.layer, HistoryRepository.layer, MedianRepository.layer)),
    Layer.provideMerge(JournalArchive.layer(source.archive).pipe(Layer.provide(ArchiveRepository.layer))),
    Layer.provide(source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder))
  )

/** The events of a database, from the first: those that its archive has, and then those that its tables have. */
export const pagesOfDatabase: Effect.Effect<NextPage, SqlError, EventLogRepository | JournalArchive> = Effect.gen(
  function* () {
    const repository = yield* EventLogRepository
    const archive = yield* JournalArchive
    const progress = yield* ReadingProgress
    progress.begin(yield* repository.lastEvent)
    return { repository, archive, files: yield* archive.files }
  }
).pipe(Effect.map(({ archive, files, repository }) => pagesOf(repository, archive, files)))

type Repository = EventLogRepository["Service"]

const paged = (events: ReadonlyArray<StoredEvent>): EventPage["events"] =>
  events.map((event) => ({ event, sum: undefined }))

/** All events from behind one place to another that their table has. */
const storedUpTo = Effect.fnUntraced(function* (repository: Repository, after: number, last: number) {
  const events: Array<StoredEvent> = []
  for (let from = after; from < last;) {
    const page = yield* repository.eventsAfter(from, last)
    events.push(...page)
    from = page.at(-1)?.seq ?? last
  }
  return events
})

/** The rows of a file with their events: as their table has them where it does, else as the file has them. */
const archivedPage = Effect.fnUntraced(function* (
  repository: Repository,
  archive: JournalArchive["Service"],
  file: ArchivedFile,
  leaving: LeavingEvents
) {
  const rows = yield* archive.read(file)
  const stored = new Map((yield* storedUpTo(repository, file.first - 1, file.last)).map((event) => [event.seq, event]))
  const events: Array<StoredEvent> = []
  for (const event of rows.flatMap(archivedEvents)) {
    const found = stored.get(event.seq)
    const finding = leaving.take(event, found !== undefined)
    const page = { events: paged(events), rows: rows.map(({ row }) => row), finding, done: false } satisfies EventPage
    if (finding !== undefined) return page
    events.push(found ?? event)
  }
  return {
    events: paged(events),
    rows: rows.map(({ row }) => row),
    finding: undefined,
    done: false
  } satisfies EventPage
})

const pagesOf = (
  repository: Repository,
  archive: JournalArchive["Service"],
  files: ReadonlyArray<ArchivedFile>
): NextPage => {
  const left = [...files]
  const leaving = new LeavingEvents()
  let last = 0
  let begun = 0
  const rowsTo = Effect.fnUntraced(function* (seq: number) {
    const rows: Array<JournalRow> = []
    for (;;) {
      const page = yield* repository.journalBetween(begun, seq)
      begun = page.at(-1)?.firstSeq ?? begun
      if (page.length === 0) return rows
      rows.push(...page)
    }
  })
  return Effect.gen(function* () {
    const [file] = left
    // Events from before there was a journal are in the table alone.
    const events = yield* repository.eventsAfter(last, file === undefined ? undefined : file.first - 1)
    if (file !== undefined && events.length === 0) {
      left.shift()
      last = file.last
      begun = file.last
      return yield* archivedPage(repository, archive, file, leaving)
    }
    last = events.at(-1)?.seq ?? last
    const isEnd = events.length === 0
    return {
      events: paged(events),
      rows: file === undefined ? yield* rowsTo(isEnd ? Number.MAX_SAFE_INTEGER : last) : [],
      finding: isEnd ? leaving.finding : undefined,
      done: isEnd
    } satisfies EventPage
  })
}

/** What a walk over all events ended with. */
export interface Walked {
  /** What was found first, by the walk or in the source. */
  readonly finding: Finding | undefined
  /** What the journal has behind the last event; whole where nothing was found. */
  readonly tail: ReadonlyArray<TailEntry>
}

/**
 * Lets a walk take every event, and the journal beside them, until the first finding.
 *
 * @param sum - the walk's running hash after the event that it took last
 */
export const walk = (
  next: NextPage,
  step: (event: StoredEvent) => Finding | undefined,
  sum: () => string
): Effect.Effect<Walked, SqlError | EventFileFailed | ArchiveFailed> =>
  Effect.gen(function* () {
    const progress = yield* ReadingProgress
    const journal = new JournalWalk(hashing.link)
    const found = (finding: Finding | undefined): Walked => ({ finding, tail: journal.tail })
    for (;;) {
      const page = yield* next
      const last = page.events.at(-1)
      if (last !== undefined) progress.at(last.event.seq)
      for (const row of page.rows ?? []) {
        const finding = journal.take(row)
        if (finding !== undefined) return found(finding)
      }
      for (const { event, sum: kept } of page.events) {
        const finding = step(event) ?? journal.step(event)
        if (finding !== undefined) return found(finding)
        if (kept !== undefined && kept !== sum()) {
          return found(findingAt(event, `was altered: the log's hash is ${sum()} here, the file has ${kept}`))
        }
      }
      if (page.finding !== undefined || page.done) return found(page.finding ?? journal.finding)
    }
  })

/** Lets a walk take the entries behind its last event as the events that they become; answers the first finding. */
export const walkTail = (
  tail: ReadonlyArray<TailEntry>,
  chain: ChainWalk,
  step: (event: StoredEvent) => Finding | undefined
): Finding | undefined => {
  for (const entry of tail) {
    const finding = step(chain.following(entry))
    if (finding !== undefined) return finding
  }
  return undefined
}

/** Reads everything that comes in pages, each after the last of the one before. */
export const eachAfter = <A, E>(
  pageAfter: (key: string) => Effect.Effect<ReadonlyArray<A>, E>,
  keyOf: (item: A) => string,
  take: (item: A) => void
): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    let key = ""
    for (;;) {
      const page = yield* pageAfter(key)
      const last = page.at(-1)
      if (last === undefined) return
      for (const item of page) take(item)
      key = keyOf(last)
    }
  })
