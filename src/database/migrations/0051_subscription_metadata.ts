import type { Migration } from "../Migration.ts"

/** What buyers keep with a subscription, by keys of their own, as an object in JSON. */
export const subscriptionMetadata: Migration = {
  id: 51,
  name: "subscription_metadata",
  up: [
    `ALTER TABLE subscriptions
       ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')`,
    `CREATE INDEX subscriptions_by_metadata ON subscriptions USING gin ((metadata::jsonb) jsonb_path_ops)
       WHERE metadata <> '{}'`
  ],
  down: ["DROP INDEX subscriptions_by_metadata", "ALTER TABLE subscriptions DROP COLUMN metadata"]
}
