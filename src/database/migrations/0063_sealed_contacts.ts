import type { Migration } from "../Migration.ts"

/** Columns of contacts, which are longer once they are sealed. */
const COLUMNS = ["tax_id", "email", "phone"]

/** Contacts of companies are sealed under a key of each company: the contract says how long they may be. */
export const sealedContacts: Migration = {
  id: 63,
  name: "sealed_contacts",
  allowed: "The version before goes on writing what the checks allowed; it shows sealed contacts as they are stored.",
  up: COLUMNS.map((column) => `ALTER TABLE companies DROP CONSTRAINT companies_${column}_check`),
  down: { irreversible: "Sealed contacts are longer than the columns of before take, and only the program opens them." }
}
