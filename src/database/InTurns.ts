import { Effect } from "effect"

/** How long work goes on at least before others get a turn of the event loop, in nanoseconds. */
export const TURN = 2_000_000n

/** How long it goes on where others' turns are long: a fourth of the last one, so that it keeps a fifth of the time. */
const SHARE = 4n

/** Where the time of work that gives turns is read, and who hears of it. */
export interface WorkTime {
  /** Now, in nanoseconds since any fixed time. */
  readonly now: () => bigint
  /** Hears of each part of the work between two turns, in nanoseconds. */
  readonly spent: (nanos: bigint) => void
}

/**
 * Does something with each of what is made step by step, in order, and lets the event loop turn whenever the steps since the
 * last turn took {@link TURN}, or more where others took long. So requests that come meanwhile wait for a step and not for all
 * of the work. Gives what was done.
 */
export const inTurns = Effect.fnUntraced(function* <A, B>(
  steps: Iterable<A>,
  { now, spent }: WorkTime,
  act: (step: A) => Effect.Effect<B>
): Effect.fn.Return<ReadonlyArray<B>> {
  const done: Array<B> = []
  let begun = now()
  let turn = TURN
  for (const step of steps) {
    done.push(yield* act(step))
    const nanos = now() - begun
    if (nanos < turn) continue
    spent(nanos)
    const given = now()
    yield* Effect.yieldNow
    begun = now()
    const share = (begun - given) / SHARE
    turn = share > TURN ? share : TURN
  }
  spent(now() - begun)
  return done
})
