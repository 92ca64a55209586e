import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { MetadataPair } from "../../engine/metadata/Metadata.ts"
import { unavailableOrDie } from "./DatabaseError.ts"

/** Companies whose metadata one list is filtered by. */
const MOST_KEEPERS = 500

/** The companies that keep metadata with the rows of a scope, of which there may be many: as many as a filter takes. */
export const keepersIn = (sql: SqlClient, table: string, keeper: string, scope: Fragment) =>
  sql<{ readonly id: string }>`
    SELECT DISTINCT ${sql(keeper)} AS id FROM ${sql(table)} WHERE ${scope} AND metadata <> '{}'
    LIMIT ${BigInt(MOST_KEEPERS)}`.pipe(
    Effect.map((rows) => rows.map(({ id }) => id)),
    unavailableOrDie
  )

/**
 * Whether the row that a column names has one of these keys with its value in its metadata. The first condition is the
 * index's.
 *
 * @param id - a column of the row, such as `o.id`
 */
export const hasMetadata = (sql: SqlClient, id: string, pairs: ReadonlyArray<MetadataPair>): Fragment => {
  const column = sql.literal(id.replace(/\w+$/, "metadata"))
  const any = pairs.map(({ key, value }) => sql`${column}::jsonb @> ${JSON.stringify({ [key]: value })}::jsonb`)
  return sql`(${column} <> '{}' AND ${sql.or(any)})`
}
