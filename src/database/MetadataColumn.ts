import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { MetadataPair } from "../../engine/metadata/Metadata.ts"
import { refusal } from "../../engine/wire/Refusal.ts"
import { unavailableOrDie } from "./DatabaseError.ts"

/** Companies whose metadata one list is filtered by. */
const MOST_KEEPERS = 500

/** unprocessable: the list shows metadata of more companies than a filter asks for. */
export class FilterTooWide extends refusal(
  "FilterTooWide",
  "unprocessable",
  () =>
    `The list has metadata of more than ${MOST_KEEPERS} companies: filter what your company buys (role=buyer), or the payments of one order (order_id).`
) {}

/** The companies that keep metadata with the rows of a scope; refused where there are more than a filter takes. */
export const keepersIn = Effect.fnUntraced(function* (sql: SqlClient, table: string, keeper: string, scope: Fragment) {
  const rows = yield* sql<{ readonly id: string }>`
      SELECT DISTINCT ${sql(keeper)} AS id FROM ${sql(table)} WHERE ${scope} AND metadata <> '{}'
      ORDER BY id LIMIT ${BigInt(MOST_KEEPERS + 1)}`
  if (rows.length > MOST_KEEPERS) return yield* new FilterTooWide()
  return rows.map(({ id }) => id)
}, unavailableOrDie)

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
