import { Clock, Context, Effect, Fiber, Layer } from "effect"
import type { Journal, Recorded } from "../../engine/actor/Journal.ts"
import { endOf } from "../../engine/journal/JournalRow.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { CommitQueue, LOOK_INTERVAL } from "./CommitQueue.ts"
import { Unavailable } from "./DatabaseError.ts"
import { makeGroupWriter, MakeMemory, newAccountsOf, WriterState } from "./GroupWriter.ts"
import { recordedGroup, settleAgain } from "./JournalRecovery.ts"
import { JournalRepository } from "./JournalRepository.ts"
import { KeyIndex } from "./KeyIndex.ts"
import { LedgerTables } from "./LedgerTables.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Projection } from "./Projection.ts"
import { makeProjector } from "./Projector.ts"
import { TablePosition } from "./TablePosition.ts"
import { ProjectionSession } from "./WriteSession.ts"
import { type Deposed, WriterTerm } from "./WriterTerm.ts"

/** How long a failed transaction says that the next one fails, in milliseconds. */
const FAILURE_AGE = 30_000

/** Told of events after their commit, in the order of their sequence, and of the accounts they changed. Must not wait. */
export type CommitListener = (
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  changedAccounts: ReadonlySet<AccountId>
) => void

/**
 * The journal on PostgreSQL: merges what all the actors decided into one transaction at a time, and tells nobody
 * anything before its commit.
 *
 * One writer makes the global sequence gapless and in commit order. Where a transaction fails for a reason of its own,
 * its batches are tried alone, so that one of them cannot fail the others. Where a commit loses its answer, those who
 * wait are told that it is unknown, and the listeners hear of it once the database says that it was one. Every
 * transaction holds the writer's term: once another process took a higher one, all that waits is refused.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  Journal<PlatformEvent> & {
    /** Registers a listener until the end of the program. */
    readonly onCommit: (listener: CommitListener) => Effect.Effect<void>
    /** The sequence of the last event known to be durable, of which the listeners were told. */
    readonly lastSeq: Effect.Effect<number>
    /** Whether the listeners were told of all that may be durable; not so while the outcome of a commit is unknown. */
    readonly isCertain: () => boolean
    /** Fails where the database took none of the last transactions, unless none was tried for half a minute. */
    readonly writes: Effect.Effect<void, Unavailable>
  }
>()("emporion/database/UnitOfWork") {
  /** On whatever tables there are. */
  static readonly behind = Layer.effect(
    this,
    Effect.gen(function* () {
      const queue = new CommitQueue()
      const keys = yield* KeyIndex
      const state = new WriterState(yield* TablePosition, keys, (yield* MakeMemory)())
      const projection = yield* Projection
      const { unprojected } = state
      unprojected.onRemoved((groups, seq) => {
        for (const { answers } of groups) keys.settle(answers)
        projection.projected(groups.flatMap(({ settled }) => settled.recorded))
        state.memory.project(
          groups.map(({ settled }) => settled),
          seq
        )
      })
      const projector = yield* makeProjector(unprojected)
      yield* recover(state, projector.drain)
      const writer = yield* makeGroupWriter(state, queue)

      const { deposed } = yield* WriterTerm

      const following = yield* Effect.forkScoped(
        Effect.catchTag(projector.run, "Deposed", ({ message }) => Effect.sync(() => queue.close(message)))
      )
      yield* Effect.addFinalizer(() => leave(following, projector.drain))
      yield* Effect.forkScoped(writer.run)
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(
            Effect.sync(() => queue.look()),
            LOOK_INTERVAL
          )
        )
      )
      yield* Effect.forkScoped(
        Effect.catchTag(deposed, "Deposed", ({ message }) => Effect.sync(() => queue.close(message)))
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => queue.close("the server is shutting down")))

      return UnitOfWork.of({
        append: (batch) => queue.submit(batch),
        onCommit: (listener) => Effect.sync(() => void state.listeners.add(listener)),
        isCertain: () => state.isCertain,
        writes: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          state.failedAt !== undefined && now - state.failedAt < FAILURE_AGE
            ? Effect.fail(new Unavailable({ reason: "the last transaction was not written" }))
            : Effect.void
        ),
        lastSeq: Effect.sync(() => state.told?.seq ?? 0)
      })
    })
  )

  static readonly layer = this.behind.pipe(Layer.provide(Layer.mergeAll(LedgerTables.layer, ProjectionSession.layer)))
}

/** How long the end of a server waits for the tables, in milliseconds. What they lack then, the next start writes. */
const LEAVE_LIMIT = 5_000

/** Has the tables take what there is, and no more follow. */
const leave = (following: Fiber.Fiber<void>, drain: Effect.Effect<void, Deposed>): Effect.Effect<void> =>
  Fiber.interrupt(following).pipe(
    Effect.andThen(Effect.ignore(drain)),
    Effect.timeoutOrElse({ duration: LEAVE_LIMIT, orElse: () => Effect.void })
  )

/** Has the tables take what the journal has behind them, before anything is decided. */
const recover = Effect.fnUntraced(function* (state: WriterState, drain: Effect.Effect<void, Deposed>) {
  const journal = yield* JournalRepository
  const tables = yield* LedgerTables
  const term = yield* WriterTerm
  const { keys, memory, position, unprojected } = state
  let seq = yield* tables.projected
  unprojected.projected = seq
  position.reach(seq)
  memory.project([], seq)
  let entries = 0
  for (;;) {
    const rows = yield* journal.after(seq)
    for (const row of rows) {
      const recorded = recordedGroup(row)
      const loaded = yield* journal.load(recorded.batches, memory, Number.MAX_SAFE_INTEGER, () => false)
      // Where another server has the tables follow meanwhile, it is that one's to say.
      const settled = yield* Effect.catchDefect(
        Effect.sync(() => settleAgain(recorded, loaded)),
        (defect) => Effect.andThen(term.check, Effect.die(defect))
      )
      const end = endOf(row)
      const group = { settled, answers: recorded.answers, newAccounts: newAccountsOf(settled, memory), end }
      memory.remember(settled, end.seq)
      for (const { key } of recorded.answers) keys.note(key, row.recordedAt)
      unprojected.add(group)
      seq = end.seq
      entries += row.count
    }
    yield* drain
    if (rows.length === 0) break
  }
  const end = yield* journal.end
  state.goOn(end)
  position.tell(end.seq)
  if (entries > 0) yield* Effect.logInfo(`The tables got ${entries} events that only the journal had.`)
})
