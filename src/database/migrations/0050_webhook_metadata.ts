import type { Migration } from "../Migration.ts"

/** What companies keep with a webhook, by keys of their own, as an object in JSON. A company has few of them: no index. */
export const webhookMetadata: Migration = {
  id: 50,
  name: "webhook_metadata",
  up: [
    "ALTER TABLE webhooks ADD COLUMN metadata text NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata::jsonb) = 'object')"
  ],
  down: ["ALTER TABLE webhooks DROP COLUMN metadata"]
}
