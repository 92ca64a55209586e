import { type Clock, Effect, Latch } from "effect"

/**
 * Ends exchanges that take too long. All may take equally long, so the first to begin is the first to end, and one
 * sleeping fiber serves them all.
 */
export class ResponseDeadlines<One> {
  readonly #clock: Clock.Clock
  readonly #millis: number
  /** What is under way, in the order of the times at which it ends. */
  readonly #ends = new Map<One, number>()
  readonly #arrival = Latch.makeUnsafe(false)

  constructor(clock: Clock.Clock, millis: number) {
    this.#clock = clock
    this.#millis = millis
  }

  /** What is under way. */
  get open(): Iterable<One> {
    return this.#ends.keys()
  }

  /** Begins to count the time of one. */
  enter(one: One): void {
    this.#ends.set(one, this.#clock.currentTimeMillisUnsafe() + this.#millis)
    this.#arrival.openUnsafe()
  }

  /** One that ended by itself. */
  leave(one: One): void {
    this.#ends.delete(one)
  }

  /** Reports each that is late, for ever. */
  watch(onLate: (one: One) => void): Effect.Effect<never> {
    return Effect.forever(
      Effect.suspend(() => {
        const first = this.#ends.entries().next()
        if (first.done === true) {
          this.#arrival.closeUnsafe()
          return this.#arrival.await
        }
        const [one, end] = first.value
        const wait = end - this.#clock.currentTimeMillisUnsafe()
        if (wait > 0) return Effect.sleep(wait)
        this.#ends.delete(one)
        onLate(one)
        return Effect.void
      })
    )
  }
}
