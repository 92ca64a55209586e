/** Appends groups to the journal, each on condition of the one before and under the writer's term. */

import { Cause, Clock, Deferred, Effect, Exit, Fiber, Metric, Result } from "effect"
import { settleGroup } from "../actor/CommitGroup.ts"
import { isSameHash } from "../actor/EventChain.ts"
import { JournalUnavailable, type Recorded } from "../actor/Journal.ts"
import { encodePlatformEvent } from "../replay/EventCodec.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { appendedGroup, type AppendedGroup } from "./AppendedGroup.ts"
import { type CommitQueue, refuse, type Waiting } from "./CommitQueue.ts"
import { type Deposed, missing } from "./Deposed.ts"
import { elapsedMillis } from "./ElapsedTime.ts"
import type { JournalEnd } from "./JournalRow.ts"
import { KEY_RETENTION } from "./KeyFilter.ts"
import type { Outdated } from "./Outdated.ts"
import { Unprojected } from "./Projector.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { WritePorts } from "./WritePorts.ts"

/** The accounts that a group changed, as it left them. */
export interface ChangedAccounts {
  readonly changedAccounts: ReadonlySet<AccountId>
  account(id: AccountId): Account
}

/**
 * Hears of events after their commit, in the order of their sequence, and of the accounts they changed. Must not wait.
 */
export type CommitListener = (events: ReadonlyArray<Recorded<PlatformEvent>>, changed: ChangedAccounts) => void

/** How long to wait for the next group before looking for a commit of unknown outcome that has no waiting caller. */
const RESUME_DELAY = "500 millis"

/**
 * For how long after its beginning a group without an answer is looked for, and sent again if it is missing, in
 * milliseconds. After that its outcome is unknown to its callers.
 */
export const RESEND_LIMIT = 4_000

/**
 * How long a group waits, in milliseconds, if the tables lack nearly as much as they may; less if they lack less, and
 * not at all up to half of it. So writers slow down before anybody is refused.
 */
const CROWDED_WAIT = 100

/** The pause before a group without an answer is looked for again. */
const LOOK_DELAY = "100 millis"

const groupSize = Metric.histogram("emporion_journal_group_entries", {
  description: "Entries written in one transaction",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 2, count: 12 })
})

/** What the writer keeps between groups. */
export class WriterState {
  /** The end of the journal after everything that was sent; undefined if it must be read again. */
  end: JournalEnd | undefined = undefined
  /** The end of the journal as far as it is certain; undefined before the first look at it. */
  told: JournalEnd | undefined = undefined
  /** The groups whose rows have no answer yet, in order. */
  unanswered: ReadonlyArray<AppendedGroup> = []
  /** The groups that are certainly in the journal. */
  readonly #confirmed = new WeakSet<AppendedGroup>()
  /**
   * When a transaction last failed because of the database, in milliseconds of the monotonic clock; undefined once
   * another one succeeds.
   */
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
   * Marks a group as certain, and all that were sent before it, because it was appended behind them. Returns those that
   * the listeners do not know yet. The group itself is not among them if it was found in the journal before its answer
   * came.
   */
  confirmUpTo(group: AppendedGroup): ReadonlyArray<AppendedGroup> {
    const found = this.unanswered.slice(0, this.unanswered.indexOf(group) + 1)
    for (const one of found) this.#confirm(one)
    return found
  }

  /** Whether a group is certainly in the journal. */
  isConfirmed(group: AppendedGroup): boolean {
    return this.#confirmed.has(group)
  }

  /** Everybody who reads from now on sees it. */
  #confirm(group: AppendedGroup): void {
    this.#confirmed.add(group)
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

  /** Sets the certain end of the journal. */
  goOn(end: JournalEnd): void {
    this.unanswered = []
    this.told = end
    this.end = end
    this.memory.rebuild(this.unprojected.groups.map(({ end, settled }) => [settled, end.seq]))
  }
}

/** What is to be written. */
interface Task {
  readonly group: ReadonlyArray<Waiting>
  /** Whether it is a single batch, so that a fault is its own. */
  readonly isAlone: boolean
  /** When it began, in milliseconds of the monotonic clock. */
  readonly begun: number
}

type WriteFailure = JournalUnavailable | Outdated | Deposed

/** A task on its way. */
interface Flight extends Task {
  readonly landing: Fiber.Fiber<AppendedGroup, WriteFailure>
  /** The group that was sent, if any. */
  readonly sent: () => AppendedGroup | undefined
}

/** Sends a group, and answers those who wait for one that was sent. */
const makeLanding = (state: WriterState) => {
  const launch = makeLaunch(state)
  const resume = resuming(state)

  /**
   * Answers those who wait for a transaction that was sent. Does not wait for the answers and what follows from them.
   */
  const land = (flight: Flight): Effect.Effect<void> =>
    Effect.flatMap(Fiber.await(flight.landing), (exit) => {
      const { begun, group, isAlone } = flight
      if (Exit.isSuccess(exit)) {
        const told = state.confirmUpTo(exit.value)
        state.failedAt = undefined
        return Effect.forkChild(publish(state, told, group, exit.value), { uninterruptible: true })
      }
      state.doubt()
      if (Cause.hasDies(exit.cause)) {
        return isAlone
          ? Effect.sync(() => refuse(group, Cause.map(exit.cause, refusalOf)))
          : Effect.forEach(group, (one) => write({ group: [one], isAlone: true, begun }), { discard: true })
      }
      const failure = exit.cause.reasons.find(Cause.isFailReason)?.error
      if (failure?._tag === "Outdated") return write(flight)
      return find(flight, Cause.map(exit.cause, refusalOf))
    })

  /**
   * Looks in the journal for a group whose transaction had no answer, and writes it again if it is missing: under a
   * higher term nothing that was sent before can still be written.
   */
  const find = (flight: Flight, why: Cause.Cause<JournalUnavailable>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const now = yield* elapsedMillis
      state.failedAt = now
      if (now - flight.begun >= RESEND_LIMIT) return giveUp(flight, why)
      yield* Effect.sleep(LOOK_DELAY)
      const found = yield* Effect.exit(state.end === undefined ? resume : Effect.succeed(state.end))
      if (Exit.isFailure(found)) {
        const next = Cause.map(found.cause, refusalOf)
        return found.cause.reasons.every((reason) => Cause.isFailReason(reason) && reason.error._tag !== "Deposed")
          ? yield* find(flight, next)
          : giveUp(flight, next)
      }
      const sent = flight.sent()
      if (sent === undefined || !state.isConfirmed(sent)) return yield* write(flight)
      state.failedAt = undefined
      yield* publish(state, [], flight.group, sent)
    })

  const write = (task: Task): Effect.Effect<void> => Effect.flatMap(launch(task), land)
  return { launch, land }
}

/**
 * Writes what waits, for ever: one group after the other, and a large group while the one before is on its way, on the
 * condition that it arrives. If it does not, the group behind it is decided again.
 */
export const makeGroupWriter = (state: WriterState, queue: CommitQueue) => {
  const { land, launch } = makeLanding(state)
  let flight: Flight | undefined
  /** Listeners hear of a commit of unknown outcome even if nothing comes behind it. */
  const taken = Effect.suspend(() => (state.isCertain ? queue.takeGroup : queue.takeWithin(RESUME_DELAY)))
  const task = (group: ReadonlyArray<Waiting>) =>
    Effect.flatMap(elapsedMillis, (begun) => launch({ group, isAlone: false, begun }))
  const { unprojected } = state
  const crowded = Effect.suspend(() =>
    unprojected.crowding === 0 ? Effect.void : Effect.sleep(unprojected.crowding * CROWDED_WAIT)
  )
  /** If there is no room, urgent batches are written all the same, unless the tables take nothing any more. */
  const room = Effect.suspend(() => {
    const { await: free } = unprojected.room
    return unprojected.isClosed || unprojected.hasRoom ? free : Effect.raceFirst(free, queue.urgent)
  })
  const admitted = Effect.suspend(() => (unprojected.hasRoom ? taken : Effect.sync(() => queue.takeUrgent())))
  const begin = Effect.flatMap(Effect.andThen(Effect.andThen(crowded, room), admitted), (group) =>
    Effect.uninterruptible(
      Effect.map(task(group), (launched) => {
        flight = launched
      })
    )
  )
  const goOn = (first: Flight): Effect.Effect<void> =>
    Effect.gen(function* () {
      const group = unprojected.crowding === 0 ? yield* queue.takeManyUnless(first.landing) : []
      const second = group.length === 0 ? undefined : yield* task(group)
      yield* land(first)
      flight = second
    })
  const step = Effect.suspend(() => (flight === undefined ? begin : Effect.uninterruptible(goOn(flight))))
  const rest = Effect.suspend(() => (flight === undefined ? Effect.void : land(flight)))
  return { run: Effect.ensuring(Effect.forever(step), rest) }
}

/** Tells those who wait that nobody knows its outcome, or that nothing of it was sent. */
const giveUp = ({ group, sent }: Flight, why: Cause.Cause<JournalUnavailable>): void =>
  refuse(
    group,
    sent() === undefined ? Cause.map(why, ({ reason }) => new JournalUnavailable({ reason, isUnwritten: true })) : why
  )

/** The answer for those who waited for a transaction that another writer's term refused. */
const refusalOf = (error: WriteFailure): JournalUnavailable =>
  error._tag === "JournalUnavailable" ? error : new JournalUnavailable({ reason: error.message })

/**
 * Goes on from the journal's own end, if that is not certain. A higher term comes first: from then on nothing that was
 * sent before on a lost connection is written, so the reading is complete. Listeners hear of the groups that turn out
 * to be in it.
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
  one.seq === other.seq && isSameHash(one.hash, other.hash)

/** Decides a group on what the groups before it leave, and sends its rows. Never fails. */
const makeLaunch = (state: WriterState) => {
  const { answers, encoding: meter, journal, keys, link, memory, term } = state.ports
  const resume = resuming(state)

  const landed = Effect.fnUntraced(function* (group: ReadonlyArray<Waiting>, sending: (group: AppendedGroup) => void) {
    const batches = group.map(({ batch }) => batch)
    const end = state.end ?? (yield* resume)
    const now = Math.max(yield* Clock.currentTimeMillis, end.recordedAt)
    const loaded = yield* journal.load(batches, memory, now - KEY_RETENTION, (key) => keys.isSurelyNew(key, now))
    const begun = meter.now()
    const settled = settleGroup(batches, loaded, end.seq, link, encodePlatformEvent)
    const behind = { answers, end, memory, term: term.current(), now }
    const grouped = appendedGroup(settled, behind, link)
    const appended = grouped.group
    state.expect(appended)
    meter.add(meter.now() - begun, settled.recorded.length)
    for (const { key } of appended.answers) keys.note(key, now)
    const answered = yield* Effect.forkChild(journal.append(grouped, end.hash, term.current()), {
      startImmediately: true,
      uninterruptible: true
    })
    sending(appended)
    yield* Fiber.join(answered)
    return appended
  })

  return Effect.fnUntraced(function* ({ begun, group, isAlone }: Task) {
    const isSent = Deferred.makeUnsafe<void>()
    let sent: AppendedGroup | undefined
    const sending = (appended: AppendedGroup) => {
      sent = appended
      Deferred.doneUnsafe(isSent, Exit.void)
    }
    const landing = yield* Effect.forkChild(Effect.ensuring(landed(group, sending), Deferred.done(isSent, Exit.void)), {
      startImmediately: true,
      uninterruptible: true
    })
    yield* Deferred.await(isSent)
    return { begun, group, isAlone, landing, sent: () => sent } satisfies Flight
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

/** A listener that throws must not stop the writer. */
const tellAll = ({ listeners }: WriterState, groups: ReadonlyArray<AppendedGroup>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const failures: Array<unknown> = []
    for (const { settled } of groups) {
      const { book, recorded } = settled
      if (recorded.length === 0) continue
      for (const listener of listeners) {
        const told = Result.try(() => listener(recorded, book))
        if (Result.isFailure(told)) failures.push(told.failure)
      }
    }
    return Effect.forEach(
      failures,
      (failure) => Effect.logError("A listener of the journal failed", Cause.die(failure)),
      { discard: true }
    )
  })
