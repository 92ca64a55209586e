import { Clock, Context, Effect, Layer } from "effect"
import type { Journal, Recorded } from "../../engine/actor/Journal.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { CommitQueue, LOOK_INTERVAL } from "./CommitQueue.ts"
import { Unavailable, unavailableOrDie } from "./DatabaseError.ts"
import { makeGroupWriter, WriterState } from "./GroupWriter.ts"
import { JournalRepository } from "./JournalRepository.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Projection } from "./Projection.ts"
import { WriterTerm } from "./WriterTerm.ts"

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
    readonly lastSeq: Effect.Effect<number, Unavailable>
    /** Whether the listeners were told of all that may be durable; not so while the outcome of a commit is unknown. */
    readonly isCertain: () => boolean
    /** Fails where the database took none of the last transactions, unless none was tried for half a minute. */
    readonly writes: Effect.Effect<void, Unavailable>
  }
>()("emporion/database/UnitOfWork") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* JournalRepository
      const queue = new CommitQueue()
      const state = new WriterState()
      state.listeners.add((yield* Projection).committed)

      const writer = yield* makeGroupWriter(state, queue)

      const { deposed } = yield* WriterTerm

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
        lastSeq: Effect.suspend(() =>
          state.end === undefined || state.told === undefined
            ? unavailableOrDie(repository.lastSeq)
            : Effect.succeed(state.told.seq)
        )
      })
    })
  )
}
