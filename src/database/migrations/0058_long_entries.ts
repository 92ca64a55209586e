import type { Migration } from "../Migration.ts"

/** Longest body as it is stored, in bytes. */
export const MAX_STORED_BYTES = 67_108_864

const bound = (bytes: number): string =>
  `ALTER TABLE journal DROP CONSTRAINT journal_body_check,
     ADD CONSTRAINT journal_body_check CHECK (octet_length(body) <= ${bytes}) NOT VALID`

/**
 * The longest entry has a row for itself, which fits however badly it packs: Base64 takes four bytes for three. Rows that are
 * there are not looked at: they are shorter. Going back, long ones stay, and no other one is taken.
 */
export const longEntries: Migration = {
  id: 58,
  name: "long_entries",
  up: [bound(MAX_STORED_BYTES)],
  down: [bound(1_048_576)]
}
