import { Effect, Layer, type Redacted, Result, type Scope } from "effect"
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
import { type EventFileFailed, type FileLine, readEventFile } from "./EventFile.ts"

/** Where events are. */
export type Source =
  | { readonly _tag: "Database"; readonly url: Redacted.Redacted }
  | { readonly _tag: "DataDir"; readonly folder: string }
  | { readonly _tag: "File"; readonly path: string }

/** Some events in their order, and why nothing can be read after them, if so. */
export interface EventPage {
  readonly events: ReadonlyArray<{
    readonly event: StoredEvent
    /** The log's running hash at the event, where the source keeps one. */
    readonly sum: string | undefined
  }>
  /** The rows of the journal that begin with these events or before them; none where the source has no journal. */
  readonly rows?: ReadonlyArray<JournalRow>
  readonly finding: Finding | undefined
  /** Whether there is nothing more. */
  readonly done: boolean
}

export type LogFailure = SqlError | ReadingFailed | EventFileFailed

/** Gives the next page each time it is asked. */
export type NextPage = Effect.Effect<EventPage, SqlError | EventFileFailed>

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

/** The events of an exported file, from the first. */
export const pagesOfFile = (path: string): Effect.Effect<NextPage, EventFileFailed, Scope.Scope> =>
  Effect.map(readEventFile(path), (nextLines) => {
    const reader = new LineReader()
    return Effect.map(nextLines, (lines) => reader.page(lines))
  })

/** Makes pages of lines, and sees to it that the last line is the end. */
class LineReader {
  #last = 0
  #end: number | undefined

  page(lines: ReadonlyArray<FileLine>): EventPage {
    const events: Array<EventPage["events"][number]> = []
    const page = (finding: Finding | undefined): EventPage => ({ events, finding, done: lines.length === 0 })
    if (lines.length === 0) return page(this.#atEnd())
    for (const line of lines) {
      if (Result.isFailure(line)) return page(unreadable(line.failure, this.#last + 1))
      if (this.#end !== undefined) return page(unknownAt(this.#last + 1, "comes after the file's end"))
      if (line.success._tag === "End") {
        this.#end = line.success.events
        continue
      }
      events.push(line.success)
      this.#last += 1
    }
    return page(undefined)
  }

  #atEnd(): Finding | undefined {
    if (this.#end === this.#last) return undefined
    return this.#end === undefined
      ? unknownAt(this.#last + 1, "is missing, or the file's last line is: the file was cut")
      : unknownAt(this.#last + 1, `is where the file's end stands, which counts ${this.#end} events`)
  }
}

const unknownAt = (seq: number, problem: string): Finding => ({ seq, stream: "", version: 0, type: "", problem })

/** The stream and version are read as far as they can be. */
const unreadable = ({ text, problem }: { readonly text: string; readonly problem: string }, seq: number): Finding => {
  const [, stream = "", version = "0"] = /"stream":"([^"]*)","version":(\d+)/.exec(text) ?? []
  return { seq, stream, version: Number(version), type: "", problem }
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
