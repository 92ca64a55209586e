import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { MetadataPair } from "../../engine/metadata/Metadata.ts"
import { refusal } from "../../engine/wire/Refusal.ts"
import { texts } from "./ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "./DatabaseError.ts"

/** Companies whose metadata one list is filtered by. */
const MOST_KEEPERS = 500

/** unprocessable: the list shows metadata of more companies than a filter asks for. */
export class FilterTooWide extends refusal(
  "FilterTooWide",
  "unprocessable",
  () =>
    `The list has metadata of more than ${MOST_KEEPERS} companies: filter what your company buys (role=buyer), or the payments of one order (order_id).`
) {}

/** A list whose rows have metadata of others than those who are shown it, by the table that has the rows. */
export type KeptList = "payments" | "purchase_orders" | "subscriptions"

interface KeeperRow {
  readonly id: string
}

const bounded = Effect.fnUntraced(function* (rows: ReadonlyArray<KeeperRow>) {
  if (rows.length > MOST_KEEPERS) return yield* new FilterTooWide()
  return rows.map(({ id }) => id)
})

const MOST_READ = BigInt(MOST_KEEPERS + 1)

/**
 * The companies that keep metadata with what a party sells, or with any payment; refused where there are more than a filter
 * takes. Reads one row for each.
 *
 * @param party - the company that sells; none where the list is of payments, which administrators see all of
 */
export const keepersOf = (
  sql: SqlClient,
  list: KeptList,
  party = ""
): Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable> =>
  sql<KeeperRow>`
    SELECT keeper AS id FROM metadata_keepers WHERE list = ${list} AND party = ${party}
    ORDER BY keeper LIMIT ${MOST_READ}`.pipe(Effect.flatMap(bounded), unavailableOrDie)

/** The same of the payments of one order, which are few. */
export const payersOf = (
  sql: SqlClient,
  orderId: string
): Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable> =>
  sql<KeeperRow>`
    SELECT DISTINCT company_id AS id FROM payments WHERE order_id = ${orderId} AND metadata <> '{}'
    ORDER BY id LIMIT ${MOST_READ}`.pipe(Effect.flatMap(bounded), unavailableOrDie)

/** The metadata of the row that a column names, such as `o.metadata` of `o.id`. */
const metadataOf = (sql: SqlClient, id: string): Fragment => sql.literal(id.replace(/\w+$/, "metadata"))

const objects = (pairs: ReadonlyArray<MetadataPair>) =>
  texts(pairs.map(({ key, value }) => JSON.stringify({ [key]: value })))

/**
 * Whether the row that a column names has one of these keys with its value in its metadata.
 *
 * @param id - a column of the row, such as `o.id`
 */
export const hasMetadata = (sql: SqlClient, id: string, pairs: ReadonlyArray<MetadataPair>): Fragment => {
  const column = metadataOf(sql, id)
  return sql`(${column} <> '{}' AND ${column}::jsonb @> ANY(${objects(pairs)}::text[]::jsonb[]))`
}

/**
 * The same by the index that the table has of it: each pair is looked for there by itself. PostgreSQL expects a share of the
 * table for each pair, and would rather read all of it once than look for hundreds of pairs at once.
 *
 * @param key - the column that distinguishes rows of `from`
 */
export const hasIndexedMetadata = (
  sql: SqlClient,
  { from, id, key }: { readonly from: Fragment; readonly id: string; readonly key: string },
  pairs: ReadonlyArray<MetadataPair>
): Fragment => {
  const [column, metadata] = [sql.literal(key), metadataOf(sql, id)]
  return sql`${column} = ANY(ARRAY(
    SELECT ${column} FROM unnest(${objects(pairs)}::text[]::jsonb[]) AS kept_pair, ${from}
    WHERE ${metadata} <> '{}' AND ${metadata}::jsonb @> kept_pair))`
}
