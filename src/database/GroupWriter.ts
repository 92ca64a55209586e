import { Cause, Deferred, Effect, Exit, Fiber, Metric } from "effect"
import { type GroupResult, settleGroup } from "../../engine/actor/CommitGroup.ts"
import { JournalUnavailable } from "../../engine/actor/Journal.ts"
import { encodePlatformEvent } from "../../engine/arena/ArenaEventCodec.ts"
import { type CommitQueue, refuse, type Waiting } from "./CommitQueue.ts"
import { unavailableOrDie } from "./DatabaseError.ts"
import { link } from "./EventChain.ts"
import { JournalRepository } from "./JournalRepository.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Projection } from "./Projection.ts"
import type { CommitListener } from "./UnitOfWork.ts"
import { WriterMemory } from "./WriterMemory.ts"
import { type Outdated, WriteSession } from "./WriteSession.ts"

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

type Settled = GroupResult<PlatformEvent>

/** What the writer keeps between transactions. */
export class WriterState {
  /** The last event that was sent, undefined where it must be read again. */
  lastSeq: number | undefined = undefined
  /** The last event that the listeners were told of. */
  told = 0
  /** The transactions whose commits have no answer yet, in order. */
  unanswered: ReadonlyArray<Settled> = []
  readonly memory = new WriterMemory()
  readonly listeners = new Set<CommitListener>()

  get isCertain(): boolean {
    return this.lastSeq !== undefined || this.unanswered.length === 0
  }

  /** Counts on a transaction that is about to be sent. */
  expect(settled: Settled): void {
    this.lastSeq = (this.lastSeq ?? 0) + settled.recorded.length
    this.unanswered = [...this.unanswered, settled]
    this.memory.remember(settled)
  }

  /** Takes a transaction for certain. */
  confirm(settled: Settled): void {
    this.unanswered = this.unanswered.filter((other) => other !== settled)
  }

  /** Counts on nothing. */
  doubt(): void {
    this.lastSeq = undefined
    this.memory.forget()
  }
}

/** A transaction on its way. */
interface Flight {
  readonly group: ReadonlyArray<Waiting>
  readonly landing: Fiber.Fiber<Settled, JournalUnavailable | Outdated>
}

/**
 * Writes what waits, for ever: one group after the other, and a group of many while the one before is on its way, on
 * the condition that it arrives. Where it does not, the group behind it is decided anew.
 */
export const makeGroupWriter = Effect.fnUntraced(function* (state: WriterState, queue: CommitQueue) {
  const launch = yield* makeLaunch(state)

  /** Answers those who wait for a transaction that was sent. The answers, and all that follows, are not waited for. */
  const land = ({ group, landing }: Flight): Effect.Effect<void> =>
    Effect.flatMap(Fiber.await(landing), (exit) => {
      if (Exit.isSuccess(exit)) {
        state.confirm(exit.value)
        return Effect.forkChild(publish(state, group, exit.value), { uninterruptible: true })
      }
      state.doubt()
      if (Cause.hasDies(exit.cause) && group.length > 1) {
        return Effect.forEach(group, (one) => write([one]), { discard: true })
      }
      if (exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error._tag === "Outdated")) {
        return write(group)
      }
      refuse(group, exit.cause as Cause.Cause<JournalUnavailable>)
      return Effect.void
    })

  const write = (group: ReadonlyArray<Waiting>): Effect.Effect<void> => Effect.flatMap(launch(group), land)

  let flight: Flight | undefined
  const begin = Effect.flatMap(queue.takeGroup, (group) =>
    Effect.uninterruptible(
      Effect.map(launch(group), (launched) => {
        flight = launched
      })
    )
  )
  const goOn = (first: Flight): Effect.Effect<void> =>
    Effect.gen(function* () {
      const group = yield* queue.takeManyUnless(first.landing)
      const second = group.length === 0 ? undefined : yield* launch(group)
      yield* land(first)
      flight = second
    })
  const step = Effect.suspend(() => (flight === undefined ? begin : Effect.uninterruptible(goOn(flight))))
  const rest = Effect.suspend(() => (flight === undefined ? Effect.void : land(flight)))
  return { run: Effect.ensuring(Effect.forever(step), rest) }
})

/** Decides a group on what the groups before it leave, and sends its transaction. Never fails. */
const makeLaunch = Effect.fnUntraced(function* (state: WriterState) {
  const { transaction } = yield* WriteSession
  const repository = yield* JournalRepository
  const projection = yield* Projection

  /** Where a commit lost its answer, the journal says whether it was one: then its events are told now. */
  const resume = Effect.gen(function* () {
    const lastSeq = yield* repository.lastSeq
    for (const settled of state.unanswered) {
      const [first] = settled.recorded
      if (first !== undefined && (yield* repository.has(first))) yield* tellAll(state, settled)
    }
    state.unanswered = []
    state.told = lastSeq
    state.lastSeq = lastSeq
    return lastSeq
  })

  const transact = (group: ReadonlyArray<Waiting>, sent: Deferred.Deferred<void>) =>
    transaction(
      Effect.fnUntraced(function* (run) {
        const batches = group.map(({ batch }) => batch)
        const lastSeq = state.lastSeq ?? (yield* resume)
        const settled = settleGroup(
          batches,
          yield* repository.load(batches, state.memory, run),
          lastSeq,
          link,
          encodePlatformEvent
        )
        const statements =
          settled.recorded.length === 0
            ? []
            : [...repository.write(settled, projection.answer, state.memory), ...projection.write(settled.recorded)]
        state.expect(settled)
        yield* Effect.forkChild(Deferred.done(sent, Exit.void))
        return { answer: settled, condition: repository.endsAt(lastSeq), statements }
      })
    ).pipe(
      unavailableOrDie,
      Effect.catchTag("Unavailable", ({ reason }) => Effect.fail(new JournalUnavailable({ reason })))
    )

  return Effect.fnUntraced(function* (group: ReadonlyArray<Waiting>) {
    const sent = Deferred.makeUnsafe<void>()
    const landing = yield* Effect.forkChild(Effect.ensuring(transact(group, sent), Deferred.done(sent, Exit.void)), {
      startImmediately: true,
      uninterruptible: true
    })
    yield* Deferred.await(sent)
    return { group, landing } satisfies Flight
  })
})

/** The listeners hear first: who was answered reads what was answered, wherever it is kept. */
const publish = Effect.fnUntraced(function* (state: WriterState, group: ReadonlyArray<Waiting>, settled: Settled) {
  const { recorded, results } = settled
  yield* tellAll(state, settled)
  state.told = recorded.at(-1)?.seq ?? state.told
  for (const [index, { done }] of group.entries()) {
    const result = results[index]
    if (result !== undefined) Deferred.doneUnsafe(done, Effect.fromResult(result))
  }
  yield* Metric.update(groupSize, recorded.length)
})

const tellAll = ({ listeners }: WriterState, settled: Settled): Effect.Effect<void> =>
  settled.recorded.length === 0
    ? Effect.void
    : Effect.forEach(listeners, (listener) => tell(listener, settled), { discard: true })

/** A listener that throws must not stop the writer. */
const tell = (listener: CommitListener, { book, recorded }: Settled): Effect.Effect<void> =>
  Effect.sync(() => listener(recorded, book.changedAccounts)).pipe(
    Effect.catchCause((cause) => Effect.logError("A listener of the journal failed", cause))
  )
