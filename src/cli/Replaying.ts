import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { accrual, type Segment } from "../../engine/arena/YieldIndex.ts"
import type { Accrual } from "../../engine/replay/OrderFactsOf.ts"
import { Replay } from "../../engine/replay/Replay.ts"
import type { RowSink } from "../../engine/replay/RowSink.ts"
import { type Difference, type Repair, StateDifference } from "../../engine/replay/StateDifference.ts"
import { StateSum } from "../../engine/replay/StateSum.ts"
import { keyOf, STATE_TABLES, type StateRow, type StateTable } from "../../engine/replay/StateTable.ts"
import type { Finding } from "../../engine/replay/StoredEvent.ts"
import type { ArchiveFailed } from "../backup/ArchiveFile.ts"
import type { JournalArchive } from "../backup/JournalArchive.ts"
import { EventLogRepository } from "../database/EventLogRepository.ts"
import type { DatabaseSource } from "./CommandSource.ts"
import type { EventFileFailed } from "./EventFile.ts"
import { databaseOf, eachAfter, pagesOfDatabase, type Source, walk, type Walked, walkTail } from "./EventLog.ts"
import { type NextPage, pagesOfFile } from "./ExportReader.ts"
import { hashing, sha256 } from "./ReplayHashes.ts"
import { verifyEnds } from "./Verifying.ts"

/** What a replay found. */
export interface ReplayReport {
  readonly ok: boolean
  readonly events: number
  readonly streams: number
  /** Entries of the journal behind the last event, which the tables do not have yet. */
  readonly unprojected: number
  readonly choices: { readonly recomputed: number; readonly unpublished: number }
  /** The log's running hash at its last event, in hex. */
  readonly sum: string
  /** The hash of the state that the events make, and of the stored one, in hex; undefined where there is none. */
  readonly state: { readonly derived: string | undefined; readonly stored: string | undefined }
  /** Derived rows by table. */
  readonly rows: Readonly<Record<StateTable, number>>
  /** The first event that is not what the engine makes of those before it. */
  readonly finding: Finding | undefined
  /** Stored rows that are not what the events make of them, that of the earliest event first. */
  readonly differences: ReadonlyArray<Difference>
}

const reportOf = (
  { chain, winners }: Replay,
  derived: StateSum,
  { finding, tail }: Walked,
  { differences = [], stored }: Partial<Pick<ReplayReport, "differences">> & { readonly stored?: StateSum } = {}
): ReplayReport => {
  return {
    ok: finding === undefined && differences.length === 0,
    events: chain.events,
    streams: chain.streams,
    unprojected: tail.length,
    choices: { recomputed: winners.recomputed, unpublished: winners.unpublished },
    sum: chain.sum,
    state: { derived: finding === undefined ? derived.hash : undefined, stored: stored?.hash },
    rows: Object.fromEntries(STATE_TABLES.map((table) => [table, derived.count(table)])) as ReplayReport["rows"],
    finding,
    differences
  }
}

const summing = (sum: StateSum): RowSink => ({ history: false, put: (row) => sum.add(row) })

const replayPages = (replay: Replay, next: NextPage) =>
  walk(
    next,
    (event) => replay.step(event),
    () => replay.chain.sum
  )

const storedRows = (take: (row: StateRow) => void) =>
  Effect.gen(function* () {
    const repository = yield* EventLogRepository
    yield* Effect.forEach(STATE_TABLES, (table) => eachAfter((key) => repository.rowsAfter(table, key), keyOf, take), {
      discard: true
    })
  })

const accrualOf = ([first, ...rest]: ReadonlyArray<Segment>): Accrual | undefined =>
  first === undefined ? undefined : (collateral, from, to) => accrual([first, ...rest])(collateral, from, to)

/** Replays once more, keeping what the rows in question were, and names them. */
const explain = (parts: ReturnType<StateSum["differences"]>, earned: Accrual | undefined) =>
  Effect.gen(function* () {
    const difference = new StateDifference(parts)
    const replay = new Replay(hashing, difference, earned)
    yield* replayPages(replay, yield* pagesOfDatabase)
    replay.finish()
    yield* storedRows((row) => difference.compare(row))
    return difference
  })

/** What a replay of a database found, and what makes its tables what the events make of them. */
interface ReplayedDatabase {
  readonly report: ReplayReport
  readonly repairs: ReadonlyArray<Repair>
}

const replayDatabase = Effect.gen(function* () {
  const repository = yield* EventLogRepository
  return yield* repository.atOneMoment(
    Effect.gen(function* (): Effect.fn.Return<
      ReplayedDatabase,
      SqlError | EventFileFailed | ArchiveFailed,
      EventLogRepository | JournalArchive
    > {
      const earned = accrualOf(yield* repository.yields)
      const derived = new StateSum(sha256)
      const replay = new Replay(hashing, summing(derived), earned)
      const { finding: altered, tail } = yield* replayPages(replay, yield* pagesOfDatabase)
      const finding = altered ?? (yield* verifyEnds(replay.chain))
      if (finding !== undefined) {
        return { report: reportOf(replay, derived, { finding, tail }), repairs: [] }
      }
      replay.finish()
      const stored = new StateSum(sha256)
      yield* storedRows((row) => stored.add(row))
      const parts = derived.differences(stored)
      const difference = parts.size === 0 ? undefined : yield* explain(parts, earned)
      const differences = difference?.found ?? []
      const report = reportOf(replay, derived, { finding, tail }, { stored, differences })
      const behind = walkTail(tail, replay.chain, (event) => replay.step(event))
      return {
        report: { ...report, ok: report.ok && behind === undefined, finding: behind },
        repairs: difference?.repairs ?? []
      }
    })
  )
})

/** Replays a database, and says what its tables lack. */
export const replayedDatabase = (source: DatabaseSource) => Effect.provide(replayDatabase, databaseOf(source))

/**
 * Derives every state from a log by the engine alone, as of one moment. Where the log is in a database, the derived
 * state is compared with what its tables hold, and yields are computed anew from the vault's rates; what the journal has
 * behind the tables is decided again after the comparison.
 */
export const replayLog = Effect.fn("cli.replay")(function* (source: Source) {
  if (source._tag !== "File") return (yield* replayedDatabase(source)).report
  const derived = new StateSum(sha256)
  const replay = new Replay(hashing, summing(derived))
  const walked = yield* replayPages(replay, yield* pagesOfFile(source.path))
  if (walked.finding === undefined) replay.finish()
  return reportOf(replay, derived, walked)
}, Effect.scoped)
