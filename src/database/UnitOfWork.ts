import { Cause, Context, Deferred, Effect, Exit, Layer, Metric } from "effect"
import { type ChainedEvent, type GroupResult, settleGroup } from "../../engine/actor/CommitGroup.ts"
import { type Journal, JournalUnavailable, type Recorded } from "../../engine/actor/Journal.ts"
import { encodePlatformEvent } from "../../engine/arena/ArenaEventCodec.ts"
import { CommitQueue, refuse, type Waiting } from "./CommitQueue.ts"
import { type Unavailable, unavailableOrDie } from "./DatabaseError.ts"
import { link } from "./EventChain.ts"
import { JournalRepository } from "./JournalRepository.ts"
import { type PlatformEvent, Projection } from "./Projection.ts"
import { WriterMemory } from "./WriterMemory.ts"
import { WriteSession } from "./WriteSession.ts"

/** Told of events after their commit, in the order of their sequence. Must not wait. */
export type CommitListener = (events: ReadonlyArray<Recorded<PlatformEvent>>) => void

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

/** What the writer keeps between transactions. */
interface WriterState {
  /** Undefined where it must be read again. */
  lastSeq: number | undefined
  /** The last event that the listeners were told of. */
  told: number
  /** The events of a transaction whose commit has no answer yet. */
  unanswered: ReadonlyArray<ChainedEvent<PlatformEvent>>
  readonly memory: WriterMemory
  readonly listeners: Set<CommitListener>
}

/**
 * The journal on PostgreSQL: merges what all the actors decided into one transaction at a time, and tells nobody
 * anything before its commit.
 *
 * One writer makes the global sequence gapless and in commit order. Where a transaction fails for a reason of its own,
 * its batches are tried alone, so that one of them cannot fail the others. Where a commit loses its answer, those who
 * wait are told that it is unknown, and the listeners hear of it once the database says that it was one.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  Journal<PlatformEvent> & {
    /** Registers a listener until the end of the program. */
    readonly onCommit: (listener: CommitListener) => Effect.Effect<void>
    /** The sequence of the last event known to be durable, of which the listeners were told. */
    readonly lastSeq: Effect.Effect<number, Unavailable>
  }
>()("emporion/database/UnitOfWork") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* JournalRepository
      const queue = new CommitQueue()
      const state: WriterState = {
        lastSeq: undefined,
        told: 0,
        unanswered: [],
        memory: new WriterMemory(),
        listeners: new Set()
      }
      const write = yield* makeWriter(state)

      yield* Effect.forkScoped(Effect.forever(Effect.flatMap(queue.takeGroup, write)))
      yield* Effect.addFinalizer(() => Effect.sync(() => queue.refuseAll("the server is shutting down")))

      return UnitOfWork.of({
        append: (batch) => queue.submit(batch),
        onCommit: (listener) => Effect.sync(() => void state.listeners.add(listener)),
        lastSeq: Effect.suspend(() =>
          state.lastSeq === undefined ? unavailableOrDie(repository.lastSeq) : Effect.succeed(state.told)
        )
      })
    })
  )
}

/**
 * Writes a group in one transaction and answers those who wait; never fails. The answers, and all that follows from
 * them, come after the next group was sent, so that the database does not wait for them.
 */
const makeWriter = Effect.fnUntraced(function* (state: WriterState) {
  const { transaction } = yield* WriteSession
  const repository = yield* JournalRepository
  const projection = yield* Projection

  /** Where a commit lost its answer, the journal says whether it was one: then its events are told now. */
  const resume = Effect.gen(function* () {
    const lastSeq = yield* repository.lastSeq
    const [first] = state.unanswered
    const written = first !== undefined && (yield* repository.has(first)) ? state.unanswered : []
    state.unanswered = []
    yield* tellAll(state, written)
    state.told = lastSeq
    return lastSeq
  })

  const transact = (group: ReadonlyArray<Waiting>) =>
    transaction(
      Effect.fnUntraced(function* (run) {
        const batches = group.map(({ batch }) => batch)
        const lastSeq = state.lastSeq ?? (yield* resume)
        const loaded = yield* repository.load(batches, state.memory, run)
        const settled = settleGroup(batches, loaded, lastSeq, link, encodePlatformEvent)
        state.unanswered = settled.recorded
        return {
          answer: { settled, lastSeq: lastSeq + settled.recorded.length },
          statements:
            settled.recorded.length === 0
              ? []
              : [...repository.write(settled, projection.answer), ...projection.write(settled.recorded)]
        }
      })
    )

  const write = (group: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    transact(group).pipe(
      unavailableOrDie,
      Effect.mapError(({ reason }) => new JournalUnavailable({ reason })),
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isSuccess(exit)) {
          state.lastSeq = exit.value.lastSeq
          state.unanswered = []
          const { settled } = exit.value
          state.memory.remember(settled)
          return Effect.forkChild(publish(state, group, settled), { uninterruptible: true })
        }
        state.lastSeq = undefined
        state.memory.forget()
        if (Cause.hasDies(exit.cause) && group.length > 1) {
          return Effect.forEach(group, (one) => write([one]), { discard: true })
        }
        refuse(group, exit.cause)
        return Effect.void
      })
    )

  return (group: ReadonlyArray<Waiting>) => Effect.uninterruptible(write(group))
})

/** The listeners hear first: who was answered reads what was answered, wherever it is kept. */
const publish = Effect.fnUntraced(function* (
  state: WriterState,
  group: ReadonlyArray<Waiting>,
  { recorded, results }: GroupResult<PlatformEvent>
) {
  yield* tellAll(state, recorded)
  state.told = recorded.at(-1)?.seq ?? state.told
  for (const [index, { done }] of group.entries()) {
    const result = results[index]
    if (result !== undefined) Deferred.doneUnsafe(done, Effect.fromResult(result))
  }
  yield* Metric.update(groupSize, recorded.length)
})

const tellAll = ({ listeners }: WriterState, events: ReadonlyArray<ChainedEvent<PlatformEvent>>): Effect.Effect<void> =>
  events.length === 0 ? Effect.void : Effect.forEach(listeners, (listener) => tell(listener, events), { discard: true })

/** A listener that throws must not stop the writer. */
const tell = (listener: CommitListener, events: ReadonlyArray<Recorded<PlatformEvent>>): Effect.Effect<void> =>
  Effect.sync(() => listener(events)).pipe(
    Effect.catchCause((cause) => Effect.logError("A listener of the journal failed", cause))
  )
