import type { Migration } from "../Migration.ts"

/** Columns of contacts, which are longer once they are sealed, and the characters that they may have in clear. */
const COLUMNS = [
  ["tax_id", "1 AND 64"],
  ["email", "3 AND 254"],
  ["phone", "1 AND 32"]
] as const

/** Contacts of companies are sealed under a key of each company: the contract says how long they may be. */
export const sealedContacts: Migration = {
  id: 63,
  name: "sealed_contacts",
  allowed: "The version before goes on writing what the checks allowed; it shows sealed contacts as they are stored.",
  up: COLUMNS.map(([column]) => `ALTER TABLE companies DROP CONSTRAINT companies_${column}_check`),
  // Refused by PostgreSQL where a contact is sealed already, which only this version opens.
  down: COLUMNS.map(
    ([column, length]) =>
      `ALTER TABLE companies ADD CONSTRAINT companies_${column}_check CHECK (char_length(${column}) BETWEEN ${length})`
  )
}
