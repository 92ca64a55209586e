import { Deferred, Effect } from "effect"

/** How long a read may wait for the tables, in milliseconds. */
export const TABLES_WAIT = 5_000

interface Waiter<E> {
  readonly seq: number
  readonly done: Deferred.Deferred<void, E>
}

/**
 * How far the tables follow the journal: the sequence of the last event that was told, and of the last one that the
 * tables have. A read that begins waits until they have every event that was told by then.
 */
export class TablePosition<E> {
  #told = 0
  #projected = 0
  #broken: string | undefined
  readonly #waiters: Array<Waiter<E>> = []
  readonly #behind: (message: string) => E
  #onWait: (() => void) | undefined

  /** @param behind - why a read fails that has waited too long */
  constructor(behind: (message: string) => E) {
    this.#behind = behind
  }

  /** The sequence of the last event that the tables have. */
  get projected(): number {
    return this.#projected
  }

  /** The sequence of the last event that whoever reads now sees. */
  get told(): number {
    return this.#told
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  /** Hears when somebody begins to wait. */
  onWait(listener: () => void): void {
    this.#onWait = listener
  }

  /** Everybody who reads from now on sees this event. */
  tell(seq: number): void {
    if (seq > this.#told) this.#told = seq
  }

  /** The tables have all events up to this one. */
  reach(seq: number): void {
    if (seq > this.#projected) this.#projected = seq
    let count = 0
    while ((this.#waiters[count]?.seq ?? Number.POSITIVE_INFINITY) <= seq) count += 1
    for (const { done } of this.#waiters.splice(0, count)) Deferred.doneUnsafe(done, Effect.void)
  }

  /** The tables do not follow any more. */
  break(reason: string): void {
    this.#broken = reason
    for (const { done } of this.#waiters.splice(0)) Deferred.doneUnsafe(done, Effect.fail(this.#behind(reason)))
  }

  /** Waits until the tables have every event that was told before, {@link TABLES_WAIT} at most. */
  readonly reached: Effect.Effect<void, E> = Effect.suspend(() => this.reachedTo(this.#told))

  /** Waits until the tables have an event of the journal, whether or not it was told yet, as long at most. */
  readonly reachedTo = (seq: number): Effect.Effect<void, E> =>
    this.#projected >= seq ? Effect.void : Effect.suspend(() => this.#wait(seq))

  #wait(seq: number): Effect.Effect<void, E> {
    if (this.#projected >= seq) return Effect.void
    if (this.#broken !== undefined) return Effect.fail(this.#behind(this.#broken))
    const done = Deferred.makeUnsafe<void, E>()
    // They wait in the order of their positions. The last told event never goes back: it is behind all but a few.
    const place = this.#waiters.findLastIndex((other) => other.seq <= seq) + 1
    this.#waiters.splice(place, 0, { seq, done })
    this.#onWait?.()
    return Effect.timeoutOrElse(Deferred.await(done), {
      duration: TABLES_WAIT,
      orElse: () => Effect.fail(this.#behind("The tables do not follow the journal in time"))
    })
  }
}
