import type { Migration } from "../Migration.ts"

/** What callers keep with a product, by keys of their own, as an object in JSON. */
export const productMetadata: Migration = {
  id: 49,
  name: "product_metadata",
  up: [
    "ALTER TABLE products ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')",
    "CREATE INDEX products_by_metadata ON products USING gin ((metadata::jsonb) jsonb_path_ops) WHERE metadata <> '{}'"
  ],
  down: ["DROP INDEX products_by_metadata", "ALTER TABLE products DROP COLUMN metadata"]
}
