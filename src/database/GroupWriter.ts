import { Cause, Clock, Deferred, Effect, Exit, Fiber, Metric, Result } from "effect"
import { type GroupResult, settleGroup } from "../../engine/actor/CommitGroup.ts"
import { JournalUnavailable, type Recorded } from "../../engine/actor/Journal.ts"
import {
  appendedRows,
  endOf,
  type JournalEnd,
  type JournalEntry,
  type KeyedAnswer
} from "../../engine/journal/JournalRow.ts"
import { encodePlatformEvent } from "../../engine/arena/ArenaEventCodec.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { type CommitQueue, refuse, type Waiting } from "./CommitQueue.ts"
import { unavailableOrDie } from "./DatabaseError.ts"
import { link } from "./EventChain.ts"
import { type EventPlace, JournalRepository, KEY_RETENTION } from "./JournalRepository.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { Projection } from "./Projection.ts"
import type { CommitListener } from "./UnitOfWork.ts"
import { WriterMemory } from "./WriterMemory.ts"
import { type Outdated, WriteSession } from "./WriteSession.ts"
import { type Deposed, missing, WriterTerm } from "./WriterTerm.ts"

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

type Settled = GroupResult<PlatformEvent>

/** What the writer keeps between transactions. */
export class WriterState {
  /** Where the journal ends with what was sent, undefined where it must be read again. */
  end: JournalEnd | undefined = undefined
  /** The last event that the listeners were told of; undefined before the first look at the log. */
  told: EventPlace | undefined = undefined
  /** The transactions whose commits have no answer yet, in order. */
  unanswered: ReadonlyArray<Settled> = []
  /** When a transaction failed for the database's sake, in milliseconds since 1970; undefined since one did not. */
  failedAt: number | undefined = undefined
  readonly memory = new WriterMemory()
  readonly listeners = new Set<CommitListener>()

  get isCertain(): boolean {
    return this.end !== undefined || this.unanswered.length === 0
  }

  /** Counts on a transaction that is about to be sent. */
  expect(settled: Settled, end: JournalEnd): void {
    this.end = end
    this.unanswered = [...this.unanswered, settled]
    this.memory.remember(settled)
  }

  /** Takes a transaction for certain. */
  confirm(settled: Settled): void {
    this.unanswered = this.unanswered.filter((other) => other !== settled)
  }

  /** Counts on nothing. */
  doubt(): void {
    this.end = undefined
    this.memory.forget()
  }
}

/** A transaction on its way. One that is sent alone, because it failed with others, also says why it cannot be. */
interface Flight {
  readonly group: ReadonlyArray<Waiting>
  readonly isAlone: boolean
  readonly landing: Fiber.Fiber<Settled, JournalUnavailable | Outdated | Deposed>
}

/**
 * Writes what waits, for ever: one group after the other, and a group of many while the one before is on its way, on
 * the condition that it arrives. Where it does not, the group behind it is decided anew.
 */
export const makeGroupWriter = Effect.fnUntraced(function* (state: WriterState, queue: CommitQueue) {
  const launch = yield* makeLaunch(state)

  /** Answers those who wait for a transaction that was sent. The answers, and all that follows, are not waited for. */
  const land = ({ group, isAlone, landing }: Flight): Effect.Effect<void> =>
    Effect.flatMap(Fiber.await(landing), (exit) => {
      if (Exit.isSuccess(exit)) {
        state.confirm(exit.value)
        state.failedAt = undefined
        return Effect.forkChild(publish(state, group, exit.value), { uninterruptible: true })
      }
      state.doubt()
      if (Cause.hasDies(exit.cause) && !isAlone) {
        return Effect.forEach(group, (one) => write([one], true), { discard: true })
      }
      if (exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error._tag === "Outdated")) {
        return write(group, isAlone)
      }
      return Effect.map(Clock.currentTimeMillis, (now) => {
        if (Cause.hasFails(exit.cause)) state.failedAt = now
        refuse(group, Cause.map(exit.cause, refusalOf))
      })
    })

  const write = (group: ReadonlyArray<Waiting>, isAlone: boolean): Effect.Effect<void> =>
    Effect.flatMap(launch(group, isAlone), land)

  let flight: Flight | undefined
  const begin = Effect.flatMap(queue.takeGroup, (group) =>
    Effect.uninterruptible(
      Effect.map(launch(group, false), (launched) => {
        flight = launched
      })
    )
  )
  const goOn = (first: Flight): Effect.Effect<void> =>
    Effect.gen(function* () {
      const group = yield* queue.takeManyUnless(first.landing)
      const second = group.length === 0 ? undefined : yield* launch(group, false)
      yield* land(first)
      flight = second
    })
  const step = Effect.suspend(() => (flight === undefined ? begin : Effect.uninterruptible(goOn(flight))))
  const rest = Effect.suspend(() => (flight === undefined ? Effect.void : land(flight)))
  return { run: Effect.ensuring(Effect.forever(step), rest) }
})

/** What those are told who waited for a transaction that another writer's term refused. */
const refusalOf = (error: JournalUnavailable | Outdated | Deposed): JournalUnavailable =>
  error._tag === "JournalUnavailable" ? error : new JournalUnavailable({ reason: error.message })

/**
 * Goes on from what the log says, where it is not known. A higher term comes first: nothing that was sent before, on a
 * connection that was lost, is written from then on, so that what is read is all there will be.
 */
const makeResume = Effect.fnUntraced(function* (state: WriterState) {
  const repository = yield* JournalRepository
  const term = yield* WriterTerm

  /** Tells what the log has behind the last event that was told: commits that lost their answers. */
  const tellRest = Effect.fnUntraced(function* (told: EventPlace) {
    const sent = new Map(state.unanswered.flatMap(({ recorded }) => recorded.map((one) => [one.hash, one])))
    const accounts = new Set(state.unanswered.flatMap(({ book }) => [...book.changedAccounts]))
    let place = told
    for (;;) {
      const page = yield* repository.after(place.seq)
      const last = page.at(-1)
      if (last === undefined) return place
      yield* tellAll(
        state,
        page.map((stored) => sent.get(stored.hash) ?? recordedOf(stored)),
        accounts
      )
      place = last
    }
  })

  const resume = Effect.gen(function* () {
    yield* term.renew
    const { told } = state
    if (told !== undefined && told.seq > 0 && !(yield* repository.has(told))) {
      return yield* term.resign(missing(told.seq))
    }
    const place = yield* told === undefined ? repository.last : tellRest(told)
    state.unanswered = []
    state.told = place
    state.end = { seq: place.seq, ...(yield* repository.tip) }
    return state.end
  })
  return { resume }
})

const recordedOf = (stored: StoredEvent): Recorded<PlatformEvent> => {
  const read = readEvent(stored)
  if (Result.isFailure(read)) throw new TypeError(`event ${stored.seq} ${read.failure}`)
  return { ...stored, event: read.success.event }
}

/** Decides a group on what the groups before it leave, and sends its transaction. Never fails. */
const makeLaunch = Effect.fnUntraced(function* (state: WriterState) {
  const { transaction } = yield* WriteSession
  const repository = yield* JournalRepository
  const projection = yield* Projection
  const term = yield* WriterTerm
  const { resume } = yield* makeResume(state)

  const transact = (group: ReadonlyArray<Waiting>, isAlone: boolean, sent: Deferred.Deferred<void>) =>
    transaction(
      Effect.fnUntraced(function* (run) {
        const batches = group.map(({ batch }) => batch)
        const end = state.end ?? (yield* resume)
        const now = Math.max(yield* Clock.currentTimeMillis, end.recordedAt)
        const settled = settleGroup(
          batches,
          yield* repository.load(batches, state.memory, run, isAlone ? now - KEY_RETENTION : undefined),
          end.seq,
          link,
          encodePlatformEvent
        )
        const answers = answersOf(settled, projection)
        const rows = appendedRows(end, { entries: entriesOf(settled), answers, term: term.current(), now }, link)
        const last = rows.at(-1)
        const statements =
          last === undefined
            ? []
            : [...repository.write(settled, rows, answers, state.memory), ...projection.write(settled.recorded)]
        state.expect(settled, last === undefined ? end : endOf(last))
        yield* Effect.forkChild(Deferred.done(sent, Exit.void))
        return { answer: settled, condition: repository.endsAt(end.seq, term.current()), statements }
      })
    ).pipe(
      unavailableOrDie,
      Effect.catchTag("Unavailable", ({ reason }) => Effect.fail(new JournalUnavailable({ reason })))
    )

  return Effect.fnUntraced(function* (group: ReadonlyArray<Waiting>, isAlone: boolean) {
    const sent = Deferred.makeUnsafe<void>()
    const landing = yield* Effect.forkChild(
      Effect.ensuring(transact(group, isAlone, sent), Deferred.done(sent, Exit.void)),
      {
        startImmediately: true,
        uninterruptible: true
      }
    )
    yield* Deferred.await(sent)
    return { group, isAlone, landing } satisfies Flight
  })
})

/** The events of a group as the journal has them. */
const entriesOf = ({ answers, claims, recorded }: Settled): ReadonlyArray<JournalEntry> => {
  const keys = new Map(answers.map(({ key, recorded: { seq } }) => [seq, key]))
  const claimed = Map.groupBy(claims.keys(), (name) => claims.get(name))
  return recorded.map(({ data, seq, stream }) => ({
    stream,
    data,
    key: keys.get(seq) ?? "",
    claims: claimed.get(seq) ?? []
  }))
}

/** What the retries of a group's keys are answered. */
const answersOf = ({ answers, book }: Settled, projection: Projection["Service"]): ReadonlyArray<KeyedAnswer> =>
  answers.map(({ answer, fingerprint, key, recorded }) => ({
    seq: recorded.seq,
    key,
    fingerprint,
    ...(answer ?? projection.answer(recorded, (id) => book.account(id)))
  }))

/** The listeners hear first: who was answered reads what was answered, wherever it is kept. */
const publish = Effect.fnUntraced(function* (state: WriterState, group: ReadonlyArray<Waiting>, settled: Settled) {
  const { book, recorded, results } = settled
  yield* tellAll(state, recorded, book.changedAccounts)
  state.told = recorded.at(-1) ?? state.told
  for (const [index, { done }] of group.entries()) {
    const result = results[index]
    if (result !== undefined) Deferred.doneUnsafe(done, Effect.fromResult(result))
  }
  yield* Metric.update(groupSize, recorded.length)
})

const tellAll = (
  { listeners }: WriterState,
  recorded: ReadonlyArray<Recorded<PlatformEvent>>,
  accounts: ReadonlySet<AccountId>
): Effect.Effect<void> =>
  recorded.length === 0
    ? Effect.void
    : Effect.forEach(listeners, (listener) => tell(listener, recorded, accounts), { discard: true })

/** A listener that throws must not stop the writer. */
const tell = (listener: CommitListener, ...what: Parameters<CommitListener>): Effect.Effect<void> =>
  Effect.sync(() => listener(...what)).pipe(
    Effect.catchCause((cause) => Effect.logError("A listener of the journal failed", cause))
  )
