import { Cause, Context, Deferred, Effect, Exit, Latch, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Unavailable, unavailableOrDie } from "./DatabaseError.ts"
import {
  type Batch,
  type Journal,
  JournalUnavailable,
  type Outcome,
  type Recorded,
  StaleVersion
} from "../../engine/actor/Journal.ts"
import { JournalRepository } from "./JournalRepository.ts"
import { type PlatformEvent, Projection } from "./Projection.ts"
import { settleGroup, type GroupResult } from "./CommitGroup.ts"

/** Entries that may wait to be written; beyond it the sender is told to try again. */
const MAX_WAITING_ENTRIES = 20_000

/** Entries written in one transaction. */
const MAX_GROUP_ENTRIES = 2_000

/** Told of events after their commit, in the order of their sequence. Must not block. */
export type CommitListener = (events: ReadonlyArray<Recorded<PlatformEvent>>) => void

interface Waiting {
  readonly batch: Batch<PlatformEvent>
  readonly done: Deferred.Deferred<ReadonlyArray<Outcome<PlatformEvent>>, StaleVersion | JournalUnavailable>
}

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

/**
 * The journal on PostgreSQL: merges what all the actors decided into one transaction at a time, and tells nobody
 * anything before its commit.
 *
 * One writer makes the global sequence gapless and in commit order. Where a transaction fails for a reason of its own,
 * its batches are tried alone, so that one of them cannot fail the others.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  Journal<PlatformEvent> & {
    /** Registers a listener until the scope of the program ends. */
    readonly onCommit: (listener: CommitListener) => Effect.Effect<void>
    /** The sequence of the last event known to be durable. */
    readonly lastSeq: Effect.Effect<number, Unavailable>
  }
>()("emporion/database/UnitOfWork") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const repository = yield* JournalRepository
      const projection = yield* Projection
      const queue: Array<Waiting> = []
      const arrival = Latch.makeUnsafe(false)
      const listeners = new Set<CommitListener>()
      const state: { waiting: number; lastSeq: number | undefined } = { waiting: 0, lastSeq: undefined }

      const append = (batch: Batch<PlatformEvent>) =>
        Effect.suspend(() => {
          if (state.waiting + batch.entries.length > MAX_WAITING_ENTRIES) {
            return Effect.fail(new JournalUnavailable({ reason: "too many entries wait to be written" }))
          }
          const done = Deferred.makeUnsafe<ReadonlyArray<Outcome<PlatformEvent>>, StaleVersion | JournalUnavailable>()
          queue.push({ batch, done })
          state.waiting += batch.entries.length
          arrival.openUnsafe()
          return Deferred.await(done)
        })

      const take = (): Array<Waiting> => {
        let entries = 0
        let count = 0
        for (const { batch } of queue) {
          if (count > 0 && entries + batch.entries.length > MAX_GROUP_ENTRIES) break
          entries += batch.entries.length
          count += 1
        }
        state.waiting -= entries
        return queue.splice(0, count)
      }

      const writeOnce = (group: ReadonlyArray<Waiting>) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const lastSeq = state.lastSeq ?? (yield* repository.lastSeq)
            const loaded = yield* repository.load(group.map(({ batch }) => batch))
            const settled = settleGroup(group.map(({ batch }) => batch), loaded, lastSeq)
            if (settled.recorded.length > 0) {
              yield* repository.write(settled, projection.answer)
              yield* projection.write(settled.recorded)
            }
            return { settled, lastSeq: lastSeq + settled.recorded.length }
          })
        )

      const publish = (group: ReadonlyArray<Waiting>, settled: GroupResult): void => {
        for (const listener of listeners) if (settled.recorded.length > 0) listener(settled.recorded)
        for (const [index, { done }] of group.entries()) {
          const result = settled.results[index]
          if (result !== undefined) Deferred.doneUnsafe(done, result)
        }
      }

      const refuse = (group: ReadonlyArray<Waiting>, cause: Cause.Cause<JournalUnavailable>): void => {
        for (const { done } of group) Deferred.doneUnsafe(done, Effect.failCause(cause))
      }

      const write = (group: ReadonlyArray<Waiting>): Effect.Effect<void> =>
        writeOnce(group).pipe(
          unavailableOrDie,
          Effect.mapError(({ reason }) => new JournalUnavailable({ reason })),
          Effect.exit,
          Effect.flatMap((exit) => {
            if (Exit.isSuccess(exit)) {
              state.lastSeq = exit.value.lastSeq
              publish(group, exit.value.settled)
              return Metric.update(groupSize, exit.value.settled.recorded.length)
            }
            state.lastSeq = undefined
            if (Cause.hasFails(exit.cause) || group.length === 1) {
              refuse(group, exit.cause)
              return Effect.void
            }
            return Effect.forEach(group, (one) => write([one]), { discard: true })
          })
        )

      const writer = Effect.gen(function* () {
        while (true) {
          if (queue.length === 0) {
            arrival.closeUnsafe()
            yield* arrival.await
          }
          const group = take()
          if (group.length > 0) yield* write(group)
        }
      })

      yield* Effect.forkScoped(Effect.uninterruptible(Effect.interruptible(writer)))
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => refuse(queue.splice(0), Cause.fail(new JournalUnavailable({ reason: "shutting down" }))))
      )

      return UnitOfWork.of({
        append,
        onCommit: (listener) => Effect.sync(() => void listeners.add(listener)),
        lastSeq: Effect.suspend(() =>
          state.lastSeq === undefined ? unavailableOrDie(repository.lastSeq) : Effect.succeed(state.lastSeq)
        )
      })
    })
  )
}
