import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { SealedColumn } from "../../database/SealedColumn.ts"

/** Boxes that are read at a time. */
export const PAGE = 500

/** What a row has sealed. */
export interface Box {
  readonly key: string
  readonly box: Uint8Array
}

/** The boxes of declared columns, whichever context they belong to. */
export class SealedBoxRepository extends Context.Service<
  SealedBoxRepository,
  {
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
    /** Keeps others from writing the columns' tables until the transaction ends. */
    readonly lock: (columns: ReadonlyArray<SealedColumn>) => Effect.Effect<void, SqlError>
    /** The boxes after a row's key, by their rows' keys, at most {@link PAGE}. */
    readonly after: (column: SealedColumn, key: string) => Effect.Effect<ReadonlyArray<Box>, SqlError>
    /** Puts other boxes into rows that are there, and answers them as they are then. */
    readonly write: (column: SealedColumn, boxes: ReadonlyArray<Box>) => Effect.Effect<ReadonlyArray<Box>, SqlError>
  }
>()("emporion/identity/SealedBoxRepository") {
  static readonly layer: Layer.Layer<SealedBoxRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      SealedBoxRepository.of({
        transaction: (effect) => sql.withTransaction(effect),
        lock: (columns) =>
          Effect.forEach(columns, ({ table }) => sql`LOCK TABLE ${sql(table)} IN EXCLUSIVE MODE`, { discard: true }),
        after: ({ column, key, table }, last) => sql<Box>`
          SELECT ${sql(key)} AS key, ${sql(column)} AS box FROM ${sql(table)}
          WHERE ${sql(column)} IS NOT NULL AND ${sql(key)} > ${last} ORDER BY ${sql(key)} LIMIT ${PAGE}`,
        write: ({ column, key, table }, boxes) => sql<Box>`
          UPDATE ${sql(table)} t SET ${sql(column)} = given.box
          FROM unnest(${boxes.map((one) => one.key)}::text[], ${boxes.map((one) => one.box)}::bytea[])
            AS given (key, box)
          WHERE t.${sql(key)} = given.key RETURNING given.key AS key, t.${sql(column)} AS box`
      })
    )
  )
}
