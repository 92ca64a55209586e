import type { Migration } from "../Migration.ts"

/** Columns of what people type, which is longer once it is sealed, and the characters that it may have in clear. */
const COLUMNS = [
  ["webhooks", "url", "1 AND 2048"],
  ["webhooks", "description", "1 AND 500"],
  ["bots", "name", "1 AND 100"]
] as const

/** What people type is sealed under their key, or their company's: the contract says how long it may be. */
export const sealedTexts: Migration = {
  id: 66,
  name: "sealed_texts",
  allowed: "The version before goes on writing what the checks allowed; it shows sealed texts as they are stored.",
  up: COLUMNS.map(([table, column]) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check`),
  // Refused by PostgreSQL where a longer text is sealed already, which only this version opens.
  down: COLUMNS.map(
    ([table, column, length]) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_check CHECK (char_length(${column}) BETWEEN ${length})`
  )
}
