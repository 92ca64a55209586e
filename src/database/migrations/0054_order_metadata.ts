import type { Migration } from "../Migration.ts"

/** What buyers keep with an order, by keys of their own, as an object in JSON. */
export const orderMetadata: Migration = {
  id: 54,
  name: "order_metadata",
  up: [
    `ALTER TABLE purchase_orders
       ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')`,
    `CREATE INDEX purchase_orders_by_metadata ON purchase_orders USING gin ((metadata::jsonb) jsonb_path_ops)
       WHERE metadata <> '{}'`
  ],
  down: ["DROP INDEX purchase_orders_by_metadata", "ALTER TABLE purchase_orders DROP COLUMN metadata"]
}
