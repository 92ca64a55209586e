import type { Migration } from "../Migration.ts"

/** What senders keep with a transfer, by keys of their own, as an object in JSON. */
export const transferMetadata: Migration = {
  id: 52,
  name: "transfer_metadata",
  up: [
    `ALTER TABLE transfers
       ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')`,
    `CREATE INDEX transfers_by_metadata ON transfers USING gin ((metadata::jsonb) jsonb_path_ops)
       WHERE metadata <> '{}'`
  ],
  down: ["DROP INDEX transfers_by_metadata", "ALTER TABLE transfers DROP COLUMN metadata"]
}
