import { Cause, Clock, Deferred, Effect, Exit, Fiber, Metric } from "effect"
import { settleGroup } from "../actor/CommitGroup.ts"
import { toHex } from "../actor/EventChain.ts"
import { JournalUnavailable, type Recorded } from "../actor/Journal.ts"
import { encodePlatformEvent } from "../arena/ArenaEventCodec.ts"
import type { AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { appendedGroup, type AppendedGroup } from "./AppendedGroup.ts"
import { type CommitQueue, refuse, type Waiting } from "./CommitQueue.ts"
import { type Deposed, missing } from "./Deposed.ts"
import type { JournalEnd } from "./JournalRow.ts"
import { KEY_RETENTION } from "./KeyFilter.ts"
import type { Outdated } from "./Outdated.ts"
import { Unprojected } from "./Projector.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { WritePorts } from "./WritePorts.ts"

/** Told of events after their commit, in the order of their sequence, and of the accounts they changed. Must not wait. */
export type CommitListener = (
  events: ReadonlyArray<Recorded<PlatformEvent>>,
  changedAccounts: ReadonlySet<AccountId>
) => void

/** How long a commit of unknown outcome waits for the next one to be looked for. */
const RESUME_DELAY = "500 millis"

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

/** What the writer keeps between groups. */
export class WriterState {
  /** Where the journal ends with what was sent, undefined where it must be read again. */
  end: JournalEnd | undefined = undefined
  /** Where the journal ends with what is known to stand in it; undefined before the first look at it. */
  told: JournalEnd | undefined = undefined
  /** The groups whose rows have no answer yet, in order. */
  unanswered: ReadonlyArray<AppendedGroup> = []
  /** When a transaction failed for the database's sake, in milliseconds since 1970; undefined since one did not. */
  failedAt: number | undefined = undefined
  readonly unprojected = new Unprojected()
  readonly listeners = new Set<CommitListener>()
  readonly ports: WritePorts

  constructor(ports: WritePorts) {
    this.ports = ports
  }

  get memory(): WriterMemory {
    return this.ports.memory
  }

  get isCertain(): boolean {
    return this.end !== undefined || this.unanswered.length === 0
  }

  /** Counts on a group that is about to be sent. */
  expect(group: AppendedGroup): void {
    this.end = group.end
    this.unanswered = [...this.unanswered, group]
    this.memory.remember(group.settled, group.end.seq)
  }

  /**
   * Takes a group for certain, and all that were sent before it: it was appended behind them. Answers those of which the
   * listeners were not told, which it is not itself where it was found in the journal before its answer came.
   */
  confirmUpTo(group: AppendedGroup): ReadonlyArray<AppendedGroup> {
    const found = this.unanswered.slice(0, this.unanswered.indexOf(group) + 1)
    for (const one of found) this.#confirm(one)
    return found
  }

  /** Whoever reads from now on sees it. */
  #confirm(group: AppendedGroup): void {
    this.unanswered = this.unanswered.filter((other) => other !== group)
    this.told = group.end
    if (group.settled.recorded.length === 0) return
    this.unprojected.add(group)
    this.ports.keys.tell(group.answers)
    this.ports.position.tell(group.end.seq)
  }

  /** Counts on nothing that has no answer. */
  doubt(): void {
    this.end = undefined
  }

  /** Takes the journal to end here, with what is known to stand in it. */
  goOn(end: JournalEnd): void {
    this.unanswered = []
    this.told = end
    this.end = end
    this.memory.rebuild(this.unprojected.groups.map(({ end, settled }) => [settled, end.seq]))
  }
}

/** A group on its way. */
interface Flight {
  readonly group: ReadonlyArray<Waiting>
  readonly isAlone: boolean
  readonly landing: Fiber.Fiber<AppendedGroup, JournalUnavailable | Outdated | Deposed>
}

/**
 * Writes what waits, for ever: one group after the other, and a group of many while the one before is on its way, on
 * the condition that it arrives. Where it does not, the group behind it is decided anew.
 */
export const makeGroupWriter = (state: WriterState, queue: CommitQueue) => {
  const launch = makeLaunch(state)

  /** Answers those who wait for a transaction that was sent. The answers, and all that follows, are not waited for. */
  const land = ({ group, isAlone, landing }: Flight): Effect.Effect<void> =>
    Effect.flatMap(Fiber.await(landing), (exit) => {
      if (Exit.isSuccess(exit)) {
        const told = state.confirmUpTo(exit.value)
        state.failedAt = undefined
        return Effect.forkChild(publish(state, told, group, exit.value), { uninterruptible: true })
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
  /** A commit of unknown outcome is told though nothing comes behind it. */
  const taken = Effect.suspend(() => (state.isCertain ? queue.takeGroup : queue.takeWithin(RESUME_DELAY)))
  const begin = Effect.flatMap(Effect.andThen(state.unprojected.room.await, taken), (group) =>
    Effect.uninterruptible(
      Effect.map(launch(group, false), (launched) => {
        flight = launched
      })
    )
  )
  const goOn = (first: Flight): Effect.Effect<void> =>
    Effect.gen(function* () {
      const group = state.unprojected.hasRoom ? yield* queue.takeManyUnless(first.landing) : []
      const second = group.length === 0 ? undefined : yield* launch(group, false)
      yield* land(first)
      flight = second
    })
  const step = Effect.suspend(() => (flight === undefined ? begin : Effect.uninterruptible(goOn(flight))))
  const rest = Effect.suspend(() => (flight === undefined ? Effect.void : land(flight)))
  return { run: Effect.ensuring(Effect.forever(step), rest) }
}

/** What those are told who waited for a transaction that another writer's term refused. */
const refusalOf = (error: JournalUnavailable | Outdated | Deposed): JournalUnavailable =>
  error._tag === "JournalUnavailable" ? error : new JournalUnavailable({ reason: error.message })

/**
 * Goes on from what the journal says, where it is not known. A higher term comes first: nothing that was sent before, on
 * a connection that was lost, is written from then on, so that what is read is all there will be. Groups that turn out
 * to stand in it are told.
 */
const resuming = (state: WriterState) =>
  Effect.gen(function* () {
    const { journal, term } = state.ports
    yield* term.renew
    const end = yield* journal.end
    const { told, unanswered } = state
    const last = unanswered.findLastIndex((group) => isSame(group.end, end))
    if (last === -1 && told !== undefined && !isSame(told, end)) return yield* term.resign(missing(told.seq))
    const found = unanswered[last]
    if (found !== undefined) yield* tellAll(state, state.confirmUpTo(found))
    state.goOn(end)
    return end
  })

const isSame = (one: JournalEnd, other: JournalEnd): boolean =>
  one.seq === other.seq && toHex(one.hash) === toHex(other.hash)

/** Decides a group on what the groups before it leave, and sends its rows. Never fails. */
const makeLaunch = (state: WriterState) => {
  const { answer, encoding: meter, journal, keys, link, memory, term } = state.ports
  const resume = resuming(state)

  const landed = Effect.fnUntraced(function* (group: ReadonlyArray<Waiting>, sent: Deferred.Deferred<void>) {
    const batches = group.map(({ batch }) => batch)
    const end = state.end ?? (yield* resume)
    const now = Math.max(yield* Clock.currentTimeMillis, end.recordedAt)
    const loaded = yield* journal.load(batches, memory, now - KEY_RETENTION, (key) => keys.isSurelyNew(key, now))
    const begun = meter.now()
    const settled = settleGroup(batches, loaded, end.seq, link, encodePlatformEvent)
    const behind = { answer, end, memory, term: term.current(), now }
    const grouped = appendedGroup(settled, behind, link)
    const appended = grouped.group
    state.expect(appended)
    meter.add(meter.now() - begun, settled.recorded.length)
    for (const { key } of appended.answers) keys.note(key, now)
    const sending = yield* Effect.forkChild(journal.append(grouped, end.hash, term.current()), {
      startImmediately: true,
      uninterruptible: true
    })
    Deferred.doneUnsafe(sent, Exit.void)
    yield* Fiber.join(sending)
    return appended
  })

  return Effect.fnUntraced(function* (group: ReadonlyArray<Waiting>, isAlone: boolean) {
    const sent = Deferred.makeUnsafe<void>()
    const landing = yield* Effect.forkChild(Effect.ensuring(landed(group, sent), Deferred.done(sent, Exit.void)), {
      startImmediately: true,
      uninterruptible: true
    })
    yield* Deferred.await(sent)
    return { group, isAlone, landing } satisfies Flight
  })
}

/** The listeners hear first: who was answered reads what was answered, wherever it is kept. */
const publish = Effect.fnUntraced(function* (
  state: WriterState,
  told: ReadonlyArray<AppendedGroup>,
  group: ReadonlyArray<Waiting>,
  { settled: { recorded, results } }: AppendedGroup
) {
  yield* tellAll(state, told)
  for (const [index, { done }] of group.entries()) {
    const result = results[index]
    if (result !== undefined) Deferred.doneUnsafe(done, Effect.fromResult(result))
  }
  yield* Metric.update(groupSize, recorded.length)
})

const tellAll = ({ listeners }: WriterState, groups: ReadonlyArray<AppendedGroup>): Effect.Effect<void> =>
  Effect.forEach(
    groups.filter(({ settled }) => settled.recorded.length > 0),
    ({ settled: { book, recorded } }) =>
      Effect.forEach(listeners, (listener) => tell(listener, recorded, book.changedAccounts), { discard: true }),
    { discard: true }
  )

/** A listener that throws must not stop the writer. */
const tell = (listener: CommitListener, ...what: Parameters<CommitListener>): Effect.Effect<void> =>
  Effect.sync(() => listener(...what)).pipe(
    Effect.catchCause((cause) => Effect.logError("A listener of the journal failed", cause))
  )
