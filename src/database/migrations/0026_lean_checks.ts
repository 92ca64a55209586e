import type { Migration } from "../Migration.ts"

const NOT_ID = "[^A-Za-z0-9_-]"
const NOT_ASSET = "[^A-Z0-9]"

const asset = (column: string) => `char_length(${column}) BETWEEN 2 AND 12 AND ${column} !~ '${NOT_ASSET}'`

const check = (table: string, column: string, condition: string) =>
  `ALTER TABLE ${table}
     DROP CONSTRAINT ${table}_${column}_check,
     ADD CONSTRAINT ${table}_${column}_check CHECK (${condition})`

/**
 * The same checks at a fraction of their time: a pattern that counts characters is a machine of as many states, built
 * anew for each row. And no place for a transfer among the held rates where it used none.
 */
export const leanChecks: Migration = {
  id: 26,
  name: "lean_checks",
  up: [
    check("transfers", "id", `char_length(id) BETWEEN 1 AND 64 AND id !~ '${NOT_ID}'`),
    check("transfers", "base", asset("base")),
    check("transfers", "quote", asset("quote")),
    check("purchase_orders", "id", "char_length(id) = 28 AND starts_with(id, 'pur_') AND substr(id, 5) !~ '[^0-9a-z]'"),
    "ALTER TABLE transfers DROP CONSTRAINT transfers_quote_id_key",
    "CREATE UNIQUE INDEX transfers_quote_id_key ON transfers (quote_id) WHERE quote_id IS NOT NULL"
  ],
  down: [
    "DROP INDEX transfers_quote_id_key",
    "ALTER TABLE transfers ADD CONSTRAINT transfers_quote_id_key UNIQUE (quote_id)",
    check("purchase_orders", "id", "id ~ '^pur_[0-9a-z]{24}$'"),
    check("transfers", "quote", "quote ~ '^[A-Z0-9]{2,12}$'"),
    check("transfers", "base", "base ~ '^[A-Z0-9]{2,12}$'"),
    check("transfers", "id", "id ~ '^[A-Za-z0-9_-]{1,64}$'")
  ]
}
