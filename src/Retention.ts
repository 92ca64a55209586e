/** Removes rows at the age up to which their class is kept, step by step beside everything else. */

import { Clock, Effect, Layer, Metric } from "effect"
import type { Unavailable } from "./database/DatabaseError.ts"
import { HorizonRepository } from "./database/HorizonRepository.ts"
import * as Worker from "./Worker.ts"

/** Rows of a table that one step removes at most. */
export const STEP_ROWS = 1_000

/** The pause after a step, in which others have the database. */
const PAUSE = "100 millis"

/** How often a class is gone through. */
const INTERVAL = "1 hour"

const DAY = 86_400_000

const removedRows = Metric.counter("emporion_retention_removed_rows", {
  description: "Rows removed because they are older than their class is kept, by class",
  incremental: true
})

const horizonSeconds = Metric.gauge("emporion_retention_horizon_seconds", {
  description: "The time before which rows of a class may be gone, in seconds since 1970, by class"
})

/** What a step did. */
export interface Step {
  readonly removed: number
  /** Where the next step begins; undefined where nothing is left. */
  readonly next: number | undefined
}

/** Rows that are removed at an age. `E` is why a step may fail beside the database. */
export interface Retained<E = never> {
  /** The class, as metrics and the table of horizons name it. */
  readonly kind: string
  /** Days for which they are kept; infinity: for ever. */
  readonly days: number
  /** Removes some of those that ended before the horizon, in milliseconds since 1970, from a place on: 0 at first. */
  readonly step: (horizon: number, from: number) => Effect.Effect<Step, Unavailable | E>
}

/**
 * A step over tables whose old rows are found without a place: it goes on while one of them had a full batch.
 *
 * @param removals - each removes at most {@link STEP_ROWS} rows and answers how many
 */
export const stepOver =
  (...removals: ReadonlyArray<(horizon: number) => Effect.Effect<number, Unavailable>>): Retained["step"] =>
  (horizon) =>
    Effect.map(
      Effect.forEach(removals, (remove) => remove(horizon)),
      (counts): Step => ({
        removed: counts.reduce((sum, count) => sum + count, 0),
        next: counts.includes(STEP_ROWS) ? 0 : undefined
      })
    )

/**
 * Removes what is too old now, step by step. What it did not come to is done by the next one.
 *
 * @param pause - is waited for between two steps
 */
export const pass = Effect.fn("Retention.pass")(function* <E>(
  { days, kind, step }: Retained<E>,
  pause: Effect.Effect<void>
): Effect.fn.Return<void, Unavailable | E, HorizonRepository> {
  const horizon = (yield* Clock.currentTimeMillis) - days * DAY
  if (horizon <= 0) return
  const { advance } = yield* HorizonRepository
  const known = yield* advance(kind, horizon)
  const attributes = { class: kind }
  yield* Metric.update(Metric.withAttributes(horizonSeconds, attributes), known / 1_000)
  const removedOfKind = Metric.withAttributes(removedRows, attributes)
  for (let from: number | undefined = 0; from !== undefined;) {
    const { next, removed }: Step = yield* step(horizon, from)
    if (removed > 0) yield* Metric.update(removedOfKind, removed)
    if (next !== undefined) yield* pause
    from = next
  }
})

/** Removes what is too old now and again, as long as the program runs on the node that writes. */
export const running = <R, E = never>(retained: Effect.Effect<Retained<E>, never, R>) =>
  Layer.effectDiscard(
    Effect.flatMap(retained, (one) =>
      Worker.every(INTERVAL, `Retention of ${one.kind}`, pass(one, Effect.sleep(PAUSE)))
    )
  ).pipe(Layer.provide(HorizonRepository.layer))
