import type { Migration } from "../Migration.ts"
import { dropReferences, keepReferences, type Reference } from "../References.ts"

const event: Reference = { column: "event_seq", table: "events", key: "seq" }
const account = (column: string): Reference => ({ column, table: "ledger_accounts", key: "id" })

const TABLES: ReadonlyArray<readonly [table: string, references: ReadonlyArray<Reference>]> = [
  ["ledger_transfers", [account("debit_account"), account("credit_account"), event]],
  ["transfers", [event]]
]

/** What postings and transfers name is looked for once a statement. */
export const setReferences: Migration = {
  id: 27,
  name: "set_references",
  up: TABLES.flatMap(([table, references]) => [
    `ALTER TABLE ${table} ${references.map(({ column }) => `DROP CONSTRAINT ${table}_${column}_fkey`).join(", ")}`,
    ...keepReferences(table, references)
  ]),
  down: TABLES.flatMap(([table, references]) => [
    ...dropReferences(table, references),
    `ALTER TABLE ${table} ${references.map(({ column, table: to }) => `ADD FOREIGN KEY (${column}) REFERENCES ${to}`).join(", ")}`
  ])
}
