import { Clock, Context, Effect, Exit, Layer } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { JournalUnavailable, type TellingJournal } from "../../engine/actor/Journal.ts"
import { elapsedMillis } from "../../engine/journal/ElapsedTime.ts"
import type { CommitListener } from "../../engine/journal/GroupWriter.ts"
import { makeWritePath, type RowListener } from "../../engine/journal/WritePath.ts"
import type { JournalPort, TablesPort, TermPort } from "../../engine/journal/WritePorts.ts"
import { WriterMemory } from "../../engine/journal/WriterMemory.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { phaseMeter } from "../CommitPhases.ts"
import { Unavailable, unavailableOrDie } from "./DatabaseError.ts"
import { link } from "./ChainLink.ts"
import { RecentCommits } from "./CommitTimes.ts"
import { DiskGuard } from "./DiskGuard.ts"
import { inTurns } from "./InTurns.ts"
import { JournalRepository } from "./JournalRepository.ts"
import { KeyIndex } from "./StoredKeyIndex.ts"
import { LedgerTables } from "./LedgerTables.ts"
import { Projection } from "./Projection.ts"
import { TablePosition } from "./ProjectedPosition.ts"
import { ProjectionSession, WriteSession } from "./WriteSession.ts"
import { WriterTerm } from "./WriterTerm.ts"

/** For how long a failed transaction means that the next one would fail, in milliseconds. */
const FAILURE_AGE = 30_000

const diskFull = new JournalUnavailable({ reason: "the disk is almost full", isUnwritten: true })

/** The journal on PostgreSQL: the write path of the engine, with its ports. */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  TellingJournal<PlatformEvent> & {
    /** Registers a listener until the end of the program. */
    readonly onCommit: (listener: CommitListener) => Effect.Effect<void>
    /** Has a listener told of each row from now on, in order, once it is known to stand in the journal. Must not wait. */
    readonly onAppended: (listener: RowListener) => Effect.Effect<void>
    /** The sequence of the last event that is known to be durable and that the listeners know. */
    readonly lastSeq: Effect.Effect<number>
    /**
     * Whether the listeners know everything that may be durable. False while the outcome of a commit is unknown, and while another
     * process may write.
     */
    readonly isCertain: () => boolean
    /** Fails if the database took none of the last transactions, unless none was tried for half a minute. */
    readonly writes: Effect.Effect<void, Unavailable>
  }
>()("emporion/database/UnitOfWork") {
  /** On given sessions. */
  static readonly onSessions = Layer.effect(
    this,
    Effect.gen(function* () {
      const { answers } = yield* Projection
      const path = yield* makeWritePath({
        journal: yield* journalPort,
        tables: yield* tablesPort,
        term: yield* termPort,
        keys: yield* KeyIndex,
        position: yield* TablePosition,
        memory: new WriterMemory(),
        answers,
        link,
        encoding: yield* phaseMeter("encoding")
      }).pipe(Effect.catchTag("JournalUnavailable", ({ reason }) => Effect.fail(new Unavailable({ reason }))))
      const { holds } = yield* WriterTerm
      const disk = yield* DiskGuard
      return UnitOfWork.of({
        append: (batch) => (disk.isFull() ? Effect.fail(diskFull) : path.append(batch)),
        tell: (batch, give) => (disk.isFull() ? give(Exit.fail(diskFull)) : path.tell(batch, give)),
        onCommit: (listener) => Effect.sync(() => path.onCommit(listener)),
        onAppended: (listener) => Effect.sync(() => path.onAppended(listener)),
        isCertain: () => path.isCertain() && holds(),
        writes: Effect.flatMap(elapsedMillis, (now) => {
          const failedAt = path.failedAt()
          return failedAt !== undefined && now - failedAt < FAILURE_AGE
            ? Effect.fail(new Unavailable({ reason: "the last transaction was not written" }))
            : Effect.void
        }),
        lastSeq: Effect.sync(path.lastSeq)
      })
    })
  ).pipe(Layer.provide(LedgerTables.layer))

  static readonly layer = this.onSessions.pipe(Layer.provide(ProjectionSession.layer))
}

/** A failure of the database that passes; any other is a defect. */
const passing = <A, E>(
  effect: Effect.Effect<A, E | SqlError>
): Effect.Effect<A, Exclude<E, SqlError> | JournalUnavailable> =>
  Effect.mapError(unavailableOrDie(effect), (error) =>
    error instanceof Unavailable ? new JournalUnavailable({ reason: error.reason }) : error
  )

/** Takes any failure of the database for a passing one, because the caller asks again. */
const answered = <A, E>(
  effect: Effect.Effect<A, E | SqlError>
): Effect.Effect<A, Exclude<E, SqlError> | JournalUnavailable> =>
  Effect.mapError(effect, (error) =>
    isSqlError(error) ? new JournalUnavailable({ reason: error.message }) : (error as Exclude<E, SqlError>)
  )

const journalPort = Effect.gen(function* () {
  const { after, append, end, load } = yield* JournalRepository
  const session = yield* WriteSession
  const times = yield* RecentCommits
  const clock = yield* Clock.Clock
  const port: JournalPort = {
    end: passing(end),
    after: (seq) => passing(after(seq)),
    load: (...group) => passing(load(...group)),
    append: ({ group, rows }, ...behind) => {
      const [first] = rows
      if (first !== undefined) times.sent(first.firstSeq, group.end.seq, clock.monotonicTimeNanosUnsafe())
      return passing(session.append(append(rows, ...behind)))
    }
  }
  return port
})

const bothOf = function* <A>(first: Iterable<A>, second: Iterable<A>): Generator<A> {
  yield* first
  yield* second
}

const tablesPort = Effect.gen(function* () {
  const { transaction } = yield* ProjectionSession
  const { advance, isAppended, projected, write } = yield* LedgerTables
  const projection = yield* Projection
  const meter = yield* phaseMeter("projection")
  const times = yield* RecentCommits

  const port: TablesPort = {
    projected: answered(projected),
    isAppended: (end) => answered(isAppended(end)),
    write: (groups, from, to, term) =>
      Effect.gen(function* () {
        const begun = yield* projection.begin(groups.flatMap(({ settled }) => settled.recorded))
        const time = { now: meter.now, spent: (nanos: bigint) => meter.add(nanos, 0) }
        const statements = yield* inTurns(bothOf(write(groups), begun.statements()), time, Effect.succeed)
        meter.add(0n, to.seq - from)
        yield* transaction({ condition: advance(from, to, term), statements: statements.flat() })
        begun.written()
        times.projected(from, to.seq, meter.now())
      }).pipe(passing),
    projectedTo: projection.projected
  }
  return port
})

const termPort = Effect.map(WriterTerm, ({ check, current, deposed, renew, resign }): TermPort => ({
  current,
  renew: passing(renew),
  check: answered(check),
  resign,
  deposed
}))
