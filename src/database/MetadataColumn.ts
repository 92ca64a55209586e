import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { MetadataPair } from "../../engine/metadata/Metadata.ts"

/**
 * Whether the row that a column names has a key with this value in its metadata. The first condition is the index's.
 *
 * @param id - a column of the row, such as `o.id`
 */
export const hasMetadata = (sql: SqlClient, id: string, { key, value }: MetadataPair): Fragment => {
  const column = sql.literal(id.replace(/\w+$/, "metadata"))
  return sql`(${column} <> '{}' AND ${column}::jsonb @> ${JSON.stringify({ [key]: value })}::jsonb)`
}
