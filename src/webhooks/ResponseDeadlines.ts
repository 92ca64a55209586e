import { type Clock, Duration, Effect, Latch } from "effect"

/**
 * Ends exchanges that take too long. All may take equally long, so the first to begin is the first to end, and one
 * sleeping fiber serves them all.
 */
export class ResponseDeadlines<One> {
  readonly #clock: Clock.Clock
  readonly #nanos: bigint
  /** What is under way, in the order of the times at which it ends, in nanoseconds of the monotonic clock. */
  readonly #ends = new Map<One, bigint>()
  readonly #arrival = Latch.makeUnsafe(false)

  constructor(clock: Clock.Clock, millis: number) {
    this.#clock = clock
    this.#nanos = BigInt(millis) * 1_000_000n
  }

  /** What is under way. */
  get open(): Iterable<One> {
    return this.#ends.keys()
  }

  /** Begins to count the time of one. */
  enter(one: One): void {
    this.#ends.set(one, this.#clock.monotonicTimeNanosUnsafe() + this.#nanos)
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
        const wait = end - this.#clock.monotonicTimeNanosUnsafe()
        if (wait > 0n) return Effect.sleep(Duration.nanos(wait))
        this.#ends.delete(one)
        onLate(one)
        return Effect.void
      })
    )
  }
}
