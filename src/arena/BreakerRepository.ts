import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BreakerScope, Transition } from "../../engine/arena/CircuitBreaker.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

interface Row {
  readonly scope: Transition["scope"]
  readonly state: Transition["state"]
  readonly reason: Transition["reason"]
  readonly at: bigint
}

const fromRow = (row: Row): Transition => ({ ...row, at: Number(row.at) })

/** Transitions kept in memory at the start; older ones stay in the database. */
const MAX_TRANSITIONS = 1_000n

/** What the circuit breakers did, in order. */
export class BreakerRepository extends Context.Service<
  BreakerRepository,
  {
    readonly insert: (transitions: ReadonlyArray<Transition>) => Effect.Effect<void, Unavailable>
    /** The latest transitions, oldest first. */
    readonly latest: Effect.Effect<ReadonlyArray<Transition>, Unavailable>
    /** A scope's last one. */
    readonly newest: (scope: BreakerScope) => Effect.Effect<Transition | undefined, Unavailable>
  }
>()("emporion/arena/BreakerRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return BreakerRepository.of({
        insert: (transitions) =>
          sql`
            INSERT INTO arena_breaker_transitions (scope, state, reason, at)
            SELECT * FROM unnest(
              ${transitions.map(({ scope }) => scope)}::text[],
              ${transitions.map(({ state }) => state)}::text[],
              ${transitions.map(({ reason }) => reason)}::text[],
              ${transitions.map(({ at }) => BigInt(at))}::bigint[])`.pipe(unavailableOrDie, Effect.asVoid),
        latest: sql<Row>`
          SELECT scope, state, reason, at FROM (
            SELECT * FROM arena_breaker_transitions ORDER BY id DESC LIMIT ${MAX_TRANSITIONS}) AS latest
          ORDER BY id`.pipe(
          unavailableOrDie,
          Effect.map((rows) => rows.map(fromRow))
        ),
        newest: (scope) =>
          sql<Row>`
            SELECT scope, state, reason, at FROM arena_breaker_transitions
            WHERE scope = ${scope} ORDER BY id DESC LIMIT 1`.pipe(
            unavailableOrDie,
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row)))
          )
      })
    })
  )
}
