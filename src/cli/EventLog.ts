import { Effect, Layer, type Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import { type Finding, findingAt, type StoredEvent } from "../../engine/replay/StoredEvent.ts"
import type { JournalRow } from "../../engine/journal/JournalRow.ts"
import { JournalWalk, type TailEntry } from "../../engine/journal/JournalWalk.ts"
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

/** Where events are. */
export type Source =
  | { readonly _tag: "Database"; readonly url: Redacted.Redacted }
  | { readonly _tag: "DataDir"; readonly folder: string }
  | { readonly _tag: "File"; readonly path: string }

export type LogFailure = SqlError | ReadingFailed | EventFileFailed

/** The repositories of a source that is a database. */
export const databaseOf = (
  source: Exclude<Source, { readonly _tag: "File" }>
): Layer.Layer<EventLogRepository | HistoryRepository | HistoryFiles | MedianRepository, ReadingFailed> =>
  HistoryFiles.layer.pipe(
    Layer.provide(
      Layer.mergeAll(OrderRepository.layer, CommitmentRepository.layer, YieldRepository.layer, HorizonRepository.layer)
    ),
    Layer.provideMerge(Layer.mergeAll(EventLogRepository.layer, HistoryRepository.layer, MedianRepository.layer)),
    Layer.provide(source._tag === "Database" ? atUrl(source.url) : inDataDir(source.folder))
  )

/** The events of a database, from the first. */
export const pagesOfDatabase: Effect.Effect<NextPage, SqlError, EventLogRepository> = Effect.flatMap(
  EventLogRepository,
  (repository) =>
    Effect.gen(function* () {
      const progress = yield* ReadingProgress
      progress.begin(yield* repository.count)
    }).pipe(Effect.map(() => pagesOf(repository)))
)

const pagesOf = (repository: EventLogRepository["Service"]): NextPage => {
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
    const events = yield* repository.eventsAfter(last)
    last = events.at(-1)?.seq ?? last
    return {
      events: events.map((event) => ({ event, sum: undefined })),
      rows: yield* rowsTo(events.length === 0 ? Number.MAX_SAFE_INTEGER : last),
      finding: undefined,
      done: events.length === 0
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
): Effect.Effect<Walked, SqlError | EventFileFailed> =>
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
