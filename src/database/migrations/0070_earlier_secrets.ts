import type { Migration } from "../Migration.ts"

/** Each secret of a webhook signs until its own day is over, however many came after it. */
export const earlierSecrets: Migration = {
  id: 70,
  name: "earlier_secrets",
  up: ["ALTER TABLE webhooks ADD COLUMN earlier_until bigint[] NOT NULL DEFAULT '{}'"],
  down: ["ALTER TABLE webhooks DROP COLUMN earlier_until"]
}
