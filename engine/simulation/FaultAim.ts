/** Faults that strike just when a certain event is about to be written. */

import type { Strike } from "./Strike.ts"

/** What is to strike before which event. */
export interface FaultAim {
  readonly kind: Strike["kind"]
  /** The event's tag. */
  readonly before: string
}

/** How many of a simulation's faults are aimed. */
export const AIMS = 4

/**
 * What a seed aims at. Consecutive seeds take one pair of a fault and an event after the other, so that they come to every
 * pair, and to each as often as to any other.
 */
export const aimsOf = (
  seed: number,
  kinds: ReadonlyArray<Strike["kind"]>,
  events: ReadonlyArray<string>
): ReadonlyArray<FaultAim> =>
  Array.from({ length: AIMS }, (_, number) => {
    const place = seed * AIMS + number
    const kind = kinds[Math.floor(place / events.length) % kinds.length]
    const before = events[place % events.length]
    return kind === undefined || before === undefined ? [] : [{ kind, before }]
  }).flat()
