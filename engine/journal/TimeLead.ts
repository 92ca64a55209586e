import { Clock, Context, Effect, Latch } from "effect"

/** How far the time of what is recorded is ahead of the machine's. */
export interface TimeLead {
  /** In milliseconds; never falls. */
  readonly millis: number
  /** Ends once it is more than so much. */
  readonly beyond: (millis: number) => Effect.Effect<void>
}

/** A lead that can grow. */
export class GrowingLead implements TimeLead {
  #millis: number
  readonly #growth = Latch.makeUnsafe(false)

  constructor(millis: number) {
    this.#millis = millis
  }

  get millis(): number {
    return this.#millis
  }

  beyond(millis: number): Effect.Effect<void> {
    return Effect.suspend(() => (this.#millis > millis ? Effect.void : this.#growth.await))
  }

  /** A smaller one than it is changes nothing: time never goes back. */
  grow(millis: number): void {
    if (millis <= this.#millis) return
    this.#millis = millis
    this.#growth.openUnsafe()
    this.#growth.closeUnsafe()
  }
}

const NONE: TimeLead = { millis: 0, beyond: () => Effect.never }

/** Nothing, but where the clock of a sandbox was set forward. */
export const TimeLead: Context.Reference<TimeLead> = Context.Reference("emporion/journal/TimeLead", {
  defaultValue: () => NONE
})

/** What the machine's clock says, in milliseconds since 1970, which others compare with clocks of their own. */
export const machineTime: Effect.Effect<number> = Effect.zipWith(
  Clock.currentTimeMillis,
  TimeLead,
  (now, { millis }) => now - millis
)

/** Sleeps until a time, in milliseconds since 1970, and no longer where the clock is set forward meanwhile. */
export const sleepUntil = Effect.fnUntraced(function* (at: number) {
  const lead = yield* TimeLead
  for (;;) {
    const { millis } = lead
    const wait = at - (yield* Clock.currentTimeMillis)
    if (lead === NONE) return yield* Effect.sleep(Math.max(0, wait))
    if (wait <= 0) return
    yield* Effect.raceFirst(lead.beyond(millis), Effect.sleep(wait))
  }
})
