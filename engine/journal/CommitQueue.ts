import { Cause, Deferred, Duration, Effect, type Fiber, Latch } from "effect"
import { type Appended, type Batch, JournalUnavailable, type Outcome, type StaleVersion } from "../actor/Journal.ts"
import { whenAnswered } from "../actor/WhenAnswered.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"

/** Entries that may wait to be written. Beyond that the sender is told to try again. */
export const MAX_WAITING_ENTRIES = 20_000

/** Entries written in one transaction, unless a single batch has more. */
export const MAX_GROUP_ENTRIES = 2_000

type Outcomes = ReadonlyArray<Outcome<PlatformEvent>>

/**
 * Entries that are worth a group of their own while another is under way. A group costs PostgreSQL and the program as much as
 * some twenty entries, so that at 64 connections one of 29 entries is cheaper for each than one of 20, and no later.
 */
export const MANY_ENTRIES = 32

/**
 * Turns of the event loop for which a group waits at most, as long as each brings more and it has not many entries. What is
 * ready at the same time belongs together, and a turn that brings nothing takes some microseconds.
 */
export const MAX_GATHERING_TURNS = 4

/** A batch, and the caller that waits for its outcome. */
export interface Waiting {
  readonly batch: Batch<PlatformEvent>
  readonly done: Deferred.Deferred<Outcomes, StaleVersion | JournalUnavailable>
  /** The last check of the queue before it was entered. */
  readonly look: number
}

/** How often the queue is checked, and how many checks a batch may wait: four seconds. */
export const LOOK_INTERVAL = Duration.millis(500)
const MAX_LOOKS = 8

/** The batches that wait for the writer, in order of arrival. */
export class CommitQueue {
  #waiting: Array<Waiting> = []
  readonly #arrival = Latch.makeUnsafe(false)
  readonly #urgent = Latch.makeUnsafe(false)
  #entries = 0
  #look = 0
  #closed: JournalUnavailable | undefined
  #onMany: (() => void) | undefined
  readonly #many: number

  /** @param many - as {@link MANY_ENTRIES} */
  constructor(many: number = MANY_ENTRIES) {
    this.#many = many
  }

  /** Enters a batch and waits for its outcome. */
  submit<E extends PlatformEvent>(
    batch: Batch<E>
  ): Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion | JournalUnavailable> {
    const submitted = Effect.suspend(() => Deferred.await(this.#enter(batch)))
    // The records of a batch are its own events.
    return submitted as Effect.Effect<ReadonlyArray<Outcome<E>>, StaleVersion | JournalUnavailable>
  }

  /**
   * Enters a batch at once, and has its outcome given to a function, once.
   *
   * @param onFault - hears what the function throws, which costs no other batch its outcome
   */
  tell<E extends PlatformEvent>(
    batch: Batch<E>,
    give: (appended: Appended<E>) => void,
    onFault: (fault: unknown) => void
  ): void {
    whenAnswered(this.#enter(batch), give as (appended: Appended<PlatformEvent>) => void, onFault)
  }

  #enter(batch: Batch<PlatformEvent>): Waiting["done"] {
    const done = Deferred.makeUnsafe<Outcomes, StaleVersion | JournalUnavailable>()
    const refused = this.#refusal(batch)
    if (refused !== undefined) {
      Deferred.doneUnsafe(done, Effect.fail(refused))
      return done
    }
    this.#waiting.push({ batch, done, look: this.#look })
    this.#entries += batch.entries.length
    this.#arrival.openUnsafe()
    if (batch.isUrgent === true) this.#urgent.openUnsafe()
    if (this.#entries >= this.#many) this.#onMany?.()
    return done
  }

  /** Why a batch is not taken. */
  #refusal({ entries, isUrgent }: Batch<PlatformEvent>): JournalUnavailable | undefined {
    if (this.#closed !== undefined) return this.#closed
    return isUrgent !== true && this.#entries + entries.length > MAX_WAITING_ENTRIES
      ? new JournalUnavailable({ reason: "too many entries wait to be written", isUnwritten: true })
      : undefined
  }

  /** Waits for a batch, and takes all that fit into one transaction. */
  readonly takeGroup: Effect.Effect<ReadonlyArray<Waiting>> = Effect.suspend(() => {
    if (this.#waiting.length > 0) return this.#gathered(MAX_GATHERING_TURNS)
    this.#arrival.closeUnsafe()
    return Effect.andThen(this.#arrival.await, this.#gathered(MAX_GATHERING_TURNS))
  })

  /** Takes all that fit once a turn of the event loop brings no more, once there are many, or after so many turns. */
  #gathered(turns: number): Effect.Effect<ReadonlyArray<Waiting>> {
    return Effect.suspend(() => {
      const before = this.#waiting.length
      return Effect.flatMap(Effect.yieldNow, () =>
        turns > 1 && this.#entries < this.#many && this.#waiting.length > before
          ? this.#gathered(turns - 1)
          : Effect.succeed(this.#take())
      )
    })
  }

  /** Takes all that fit into one transaction. Waits a while if there are none, and may then take none. */
  takeWithin(wait: Duration.Input): Effect.Effect<ReadonlyArray<Waiting>> {
    return Effect.suspend(() =>
      this.#waiting.length > 0
        ? Effect.succeed(this.#take())
        : Effect.delay(
            Effect.sync(() => this.#take()),
            wait
          )
    )
  }

  /** Waits for a batch that is written however far the tables lag behind. */
  get urgent(): Effect.Effect<void> {
    return Effect.asVoid(this.#urgent.await)
  }

  /** Takes the batches that are written however far the tables lag behind, as many as fit into one transaction. */
  takeUrgent(): ReadonlyArray<Waiting> {
    const urgent = this.#waiting.filter(({ batch }) => batch.isUrgent === true)
    const taken = urgent.slice(0, fitting(urgent).count)
    if (taken.length === urgent.length) this.#urgent.closeUnsafe()
    const gone = new Set(taken)
    this.#waiting = this.#waiting.filter((one) => !gone.has(one))
    for (const { batch } of taken) this.#entries -= batch.entries.length
    return taken
  }

  /** Waits for so many that they are a group of their own, and takes them; if the fiber ends first, takes nothing. */
  takeManyUnless(ended: Fiber.Fiber<unknown, unknown>): Effect.Effect<ReadonlyArray<Waiting>> {
    return Effect.callback((resume) => {
      if (ended.pollUnsafe() !== undefined) return resume(Effect.succeed([]))
      if (this.#entries >= this.#many) return resume(Effect.succeed(this.#take()))
      const stop = ended.addObserver(() => {
        this.#onMany = undefined
        resume(Effect.succeed([]))
      })
      this.#onMany = () => {
        this.#onMany = undefined
        stop()
        // Batches that arrive at the same time belong to it.
        resume(Effect.map(Effect.yieldNow, () => this.#take()))
      }
    })
  }

  /** Refuses every batch that waits or comes later as not written. */
  close(reason: string): void {
    this.#closed = new JournalUnavailable({ reason, isUnwritten: true })
    refuse(this.#waiting.splice(0), Cause.fail(this.#closed))
    this.#entries = 0
  }

  /** Refuses the batches that have waited too long as not written. */
  look(): void {
    this.#look += 1
    if (this.#waiting.length === 0) return
    const late = this.#waiting.findIndex(({ look }) => this.#look - look <= MAX_LOOKS)
    const refused = this.#waiting.splice(0, late === -1 ? this.#waiting.length : late)
    for (const { batch } of refused) this.#entries -= batch.entries.length
    refuse(
      refused,
      Cause.fail(new JournalUnavailable({ reason: "the writer waits for the database", isUnwritten: true }))
    )
  }

  #take(): ReadonlyArray<Waiting> {
    const { count, entries } = fitting(this.#waiting)
    this.#entries -= entries
    const taken = this.#waiting.splice(0, count)
    if (this.#waiting.length === 0) this.#urgent.closeUnsafe()
    return taken
  }
}

/** How many of these batches fit into one transaction, and their entries. */
const fitting = (waiting: ReadonlyArray<Waiting>): { readonly count: number; readonly entries: number } => {
  let entries = 0
  let count = 0
  for (const { batch } of waiting) {
    if (count > 0 && entries + batch.entries.length > MAX_GROUP_ENTRIES) break
    entries += batch.entries.length
    count += 1
  }
  return { count, entries }
}

export const refuse = (group: ReadonlyArray<Waiting>, cause: Cause.Cause<JournalUnavailable>): void => {
  for (const { done } of group) Deferred.doneUnsafe(done, Effect.failCause(cause))
}
