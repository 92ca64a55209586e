import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { steady } from "../../engine/journal/SteadyClock.ts"
import { GrowingLead, TimeLead } from "../../engine/journal/TimeLead.ts"

/** How far a clock may be behind the last record without a warning, in milliseconds. */
const BEHIND_LIMIT = 1_000

/** When the last event was recorded. An event older than the journal says it itself. */
const lastRecord = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly at: bigint }>`
    SELECT coalesce(
      (SELECT recorded_at FROM journal ORDER BY first_seq DESC LIMIT 1),
      (SELECT (data::json ->> 'at')::bigint FROM events ORDER BY seq DESC LIMIT 1), 0) AS at`
  return Number(row?.at ?? 0n)
})

/** How far a sandbox's clock was set forward. */
const kept = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly lead: bigint }>`SELECT lead FROM sandbox_clock`
  return Number(row?.lead ?? 0n)
})

/**
 * The time of everything that is recorded. If a clock is set back, or a server's clock is behind that of the server
 * before it, this one stands still until it passes the last record: a consequence is never dated before its cause.
 */
export const layer: Layer.Layer<never, SqlError, SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const last = yield* lastRecord
    const lead = new GrowingLead(yield* kept)
    const behind = last - clock.currentTimeMillisUnsafe() - lead.millis
    if (behind > BEHIND_LIMIT) {
      yield* Effect.logWarning(
        `The last event was recorded ${Math.ceil(behind / 1_000)} s after what the clock says now: until it is passed, time stands still. Set the clock right.`
      )
    }
    return Context.add(Context.make(Clock.Clock, steady(clock, last, lead)), TimeLead, lead)
  })
)

/** Whether the database has what keeps how far a clock was set forward: one that another version made may lack it. */
export const isKept: Effect.Effect<boolean, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly known: boolean }>`SELECT to_regclass('sandbox_clock') IS NOT NULL AS known`
  return row?.known === true
})

/** The time of what a command records, which may work on a database that another version made: without the table, the machine's clock. */
export const ofCommand: Layer.Layer<never, never, SqlClient> = Layer.unwrap(
  Effect.gen(function* () {
    if (!(yield* isKept)) return Layer.empty
    const clock = yield* Clock.Clock
    const lead = new GrowingLead(yield* kept)
    return Layer.merge(Layer.succeed(Clock.Clock, steady(clock, 0, lead)), Layer.succeed(TimeLead, lead))
  }).pipe(Effect.orDie)
)
