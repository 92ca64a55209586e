import { Clock, Effect } from "effect"

/** Milliseconds of the monotonic clock, to be compared with each other alone: a clock that is set moves nothing of them. */
export const elapsed = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** The same, by the clock of the program. */
export const elapsedMillis: Effect.Effect<number> = Clock.clockWith((clock) => Effect.sync(() => elapsed(clock)))
