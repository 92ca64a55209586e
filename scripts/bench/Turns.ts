import { Effect } from "effect"
import type { Bench } from "./Case.ts"

/** How long and how often things are measured. */
export interface Rounds {
  readonly count: number
  readonly millis: number
  /** Milliseconds that each runs before anything counts. */
  readonly warmUp: number
}

export const FULL: Rounds = { count: 7, millis: 2_000, warmUp: 4_000 }

/** For a smoke run. */
export const QUICK: Rounds = { count: 1, millis: 250, warmUp: 100 }

export const roundsOf = ({ quick }: Bench): Rounds => (quick ? QUICK : FULL)

/**
 * Measures several things in turns, so that whatever slows the machine for a while slows all of them. Answers each
 * thing's results, in the order of the rounds.
 */
export const inTurns = Effect.fnUntraced(function* <Thing, Found>(
  bench: Bench,
  rounds: Rounds,
  things: ReadonlyArray<Thing>,
  measure: (thing: Thing, millis: number, round: number) => Effect.Effect<Found>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<Found>>> {
  for (const thing of things) yield* measure(thing, rounds.warmUp, 0)
  const found: ReadonlyArray<Array<Found>> = things.map(() => [])
  for (let round = 1; round <= rounds.count; round++) {
    bench.say(`round ${round} of ${rounds.count}`)
    for (const [index, thing] of things.entries()) {
      found[index]?.push(yield* measure(thing, rounds.millis, round))
    }
  }
  return found
})
