import { Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Metadata } from "../../engine/metadata/Metadata.ts"

/** One key of metadata and its value. */
export interface MetadataPair {
  readonly key: string
  readonly value: string
}

const decode = Schema.decodeSync(Schema.fromJsonString(Metadata))

/** What the column `metadata` of a row says, where it says anything. */
export const metadataColumn = ({ metadata }: { readonly metadata: string }): { readonly metadata?: Metadata } =>
  metadata === "{}" ? {} : { metadata: decode(metadata) }

/** Whether a row has a key with this value. The first condition is the index's. */
export const hasMetadata = (sql: SqlClient, table: string, { key, value }: MetadataPair): Fragment => {
  const column = sql.literal(`${table}.metadata`)
  return sql`(${column} <> '{}' AND ${column}::jsonb @> ${JSON.stringify({ [key]: value })}::jsonb)`
}
