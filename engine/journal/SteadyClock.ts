import { type Clock, Effect } from "effect"
import type { TimeLead } from "./TimeLead.ts"

/**
 * The time of what is recorded, by a machine's clock: it never goes back. What elapses, and how long somebody sleeps, stays the
 * machine's.
 *
 * @param floor - its earliest time, in milliseconds since 1970
 * @param lead - how far it is ahead
 */
export const steady = (
  clock: Clock.Clock,
  floor: number,
  lead: Pick<TimeLead, "millis"> = { millis: 0 }
): Clock.Clock => {
  let last = floor
  const now = (): number => {
    const given = clock.currentTimeMillisUnsafe() + lead.millis
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
