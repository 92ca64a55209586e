import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "./DatabaseError.ts"

/** From when on the rows of each class are all there. Times are milliseconds since 1970. */
export class HorizonRepository extends Context.Service<
  HorizonRepository,
  {
    /** Says that older rows of a class may be gone from now on; answers the latest time that was ever said. */
    readonly advance: (kind: string, to: number) => Effect.Effect<number, Unavailable>
    /** The time before which rows of a class may be gone; 0 where none is. */
    readonly of: (kind: string) => Effect.Effect<number, Unavailable>
  }
>()("emporion/database/HorizonRepository") {
  static readonly layer: Layer.Layer<HorizonRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      HorizonRepository.of({
        advance: (kind, to) =>
          sql<{ readonly horizon: bigint }>`
            INSERT INTO retention_horizons AS known (class, horizon) VALUES (${kind}, ${BigInt(to)})
            ON CONFLICT (class) DO UPDATE SET horizon = greatest(known.horizon, excluded.horizon)
            RETURNING horizon`.pipe(
            Effect.map(([row]) => Number(row?.horizon ?? to)),
            unavailableOrDie
          ),
        of: (kind) =>
          sql<{ readonly horizon: bigint }>`SELECT horizon FROM retention_horizons WHERE class = ${kind}`.pipe(
            Effect.map(([row]) => Number(row?.horizon ?? 0n)),
            unavailableOrDie
          )
      })
    )
  )
}
