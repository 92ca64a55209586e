import { type Clock, Effect } from "effect"

/**
 * A clock that never goes back.
 *
 * @param floor - its earliest time, in milliseconds since 1970
 */
export const steady = (clock: Clock.Clock, floor: number): Clock.Clock => {
  let last = floor
  const now = (): number => {
    const given = clock.currentTimeMillisUnsafe()
    if (given > last) last = given
    return last
  }
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
