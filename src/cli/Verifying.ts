import { Effect } from "effect"
import { type Finding, findingAt } from "../../engine/replay/StoredEvent.ts"
import { Verification } from "../../engine/replay/Verification.ts"
import type { ChainWalk } from "../../engine/replay/ChainWalk.ts"
import { EventLogRepository, type RecordedEnd } from "../database/EventLogRepository.ts"
import { databaseOf, eachAfter, pagesOfDatabase, type Source, walk, type Walked, walkTail } from "./EventLog.ts"
import { auditHistory } from "./HistoryAudit.ts"
import { wrongPosition } from "./UnprojectedJournal.ts"
import { type NextPage, pagesOfFile } from "./ExportReader.ts"
import { hashing } from "./ReplayHashes.ts"

/** What a walk over a whole log found. */
export interface VerifyReport {
  readonly ok: boolean
  readonly events: number
  readonly streams: number
  /** Entries of the journal behind the last event, which the tables do not have yet. */
  readonly unprojected: number
  /** The log's running hash at its last event, in hex: the same for the same log, wherever it is kept. */
  readonly sum: string
  /** Choices that were recomputed with their key, and such whose key is not published yet. */
  readonly choices: { readonly recomputed: number; readonly unpublished: number }
  /** Sealed days of the arena's history whose files were made anew. */
  readonly days: number
  /** Files of recorded prices of those days that could not be, because the prices were removed at their age. */
  readonly removed: number
  /** The first event that is not what it was. */
  readonly finding: Finding | undefined
}

const reportOf = (
  { chain, winners }: Verification,
  { finding, tail }: Walked,
  { days, removed } = { days: 0, removed: 0 }
): VerifyReport => ({
  ok: finding === undefined,
  events: chain.events,
  streams: chain.streams,
  unprojected: tail.length,
  sum: chain.sum,
  choices: { recomputed: winners.recomputed, unpublished: winners.unpublished },
  days,
  removed,
  finding
})

const verifyPages = (verification: Verification, next: NextPage) =>
  walk(
    next,
    (event) => verification.step(event),
    () => verification.chain.sum
  )

/** What is wrong with the end of a stream as it is remembered, which the walk must have reached. */
const wrongEnd = (chain: ChainWalk, { stream, version, hash }: RecordedEnd): Finding | undefined => {
  const end = chain.end(stream)
  if (end === undefined) {
    const seq = chain.events + 1
    return {
      seq,
      stream,
      version,
      type: "",
      problem: "is missing: the stream's end is remembered, its events are gone"
    }
  }
  if (end.version === version && end.hash === hash) return undefined
  return findingAt(end.last, `is the last of its stream, whose end is remembered as version ${version} with ${hash}`)
}

/** Whether every stream ends where the database remembers, and the log where the tables do. */
export const verifyEnds = (chain: ChainWalk) =>
  Effect.gen(function* () {
    const repository = yield* EventLogRepository
    const found: Array<Finding> = []
    let ends = 0
    yield* eachAfter(
      repository.endsAfter,
      ({ stream }) => stream,
      (end) => {
        ends += 1
        const finding = wrongEnd(chain, end)
        if (finding !== undefined) found.push(finding)
      }
    )
    const first = found.toSorted((one, other) => one.seq - other.seq)[0]
    if (first !== undefined) return first
    if (ends === chain.streams) return yield* wrongPosition(chain.events)
    const problem = `belongs to a log of ${chain.streams} streams, of which the database remembers ${ends} ends`
    return { seq: chain.events, stream: "", version: 0, type: "", problem }
  })

/** Whether every row that follows from events names rows that are there. */
const verifyReferences = (chain: ChainWalk) =>
  Effect.gen(function* () {
    const [first] = yield* (yield* EventLogRepository).dangling
    if (first === undefined) return undefined
    const { column, named, rows, table, to } = first
    const problem = `is the last event, and ${rows} of the rows of ${table} name in ${column} what is not in ${to}: ${named}`
    return { seq: chain.events, stream: "", version: 0, type: "", problem }
  })

const verifyDatabase = Effect.gen(function* () {
  const repository = yield* EventLogRepository
  return yield* repository.atOneMoment(
    Effect.gen(function* () {
      const verification = new Verification(hashing)
      const { finding: altered, tail } = yield* verifyPages(verification, yield* pagesOfDatabase)
      const finding =
        altered ?? (yield* verifyEnds(verification.chain)) ?? (yield* verifyReferences(verification.chain))
      if (finding !== undefined) return reportOf(verification, { finding, tail })
      const history = yield* auditHistory
      const report = reportOf(verification, { finding: history.finding, tail }, history)
      if (history.finding !== undefined) return report
      const behind = walkTail(tail, verification.chain, (event) => verification.step(event))
      return { ...report, ok: behind === undefined, finding: behind }
    })
  )
})

/**
 * Walks every chain and the whole sequence of a log as of one moment, and recomputes each winner whose key is
 * published and each sealed day of the arena's history; then the same of what the journal has behind the events. It stops
 * at the first that is not what it was.
 */
export const verify = Effect.fn("cli.verify")(function* (source: Source) {
  if (source._tag !== "File") return yield* Effect.provide(verifyDatabase, databaseOf(source))
  const verification = new Verification(hashing)
  return reportOf(verification, yield* verifyPages(verification, yield* pagesOfFile(source.path)))
}, Effect.scoped)
