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

/** How far apart in the list of pairs a seed's aims may be, less one, in steps of {@link AIMS}. */
const MOST_APART = 5

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other))

/** The least number from one on by which steps come to all of so many places. */
const stepFrom = (least: number, places: number): number =>
  divisor(least, places) === 1 ? least : stepFrom(least + 1, places)

/**
 * What a seed aims at. Consecutive seeds take one pair of a fault and an event after the other, so that they come to every
 * pair, and to each as often as to any other. Which pairs a seed has together changes from one round of all of them to the
 * next: what one event takes to come, or its fault does, may keep another one from coming.
 */
export const aimsOf = (
  seed: number,
  kinds: ReadonlyArray<Strike["kind"]>,
  events: ReadonlyArray<string>
): ReadonlyArray<FaultAim> => {
  const pairs = kinds.length * events.length
  if (pairs === 0) return []
  return Array.from({ length: AIMS }, (_, number) => {
    const turn = seed * AIMS + number
    const apart = stepFrom(1 + AIMS * (1 + (Math.floor(turn / pairs) % MOST_APART)), pairs)
    const place = ((turn % pairs) * apart) % pairs
    const kind = kinds[Math.floor(place / events.length)]
    const before = events[place % events.length]
    return kind === undefined || before === undefined ? [] : [{ kind, before }]
  }).flat()
}
