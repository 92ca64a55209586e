import type { Migration } from "../Migration.ts"

/** What buyers keep with a payment, by keys of their own, as an object in JSON. */
export const paymentMetadata: Migration = {
  id: 55,
  name: "payment_metadata",
  up: [
    `ALTER TABLE payments
       ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')`,
    `CREATE INDEX payments_by_metadata ON payments USING gin ((metadata::jsonb) jsonb_path_ops)
       WHERE metadata <> '{}'`
  ],
  down: ["DROP INDEX payments_by_metadata", "ALTER TABLE payments DROP COLUMN metadata"]
}
