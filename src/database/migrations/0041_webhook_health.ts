import type { Migration } from "../Migration.ts"

const health = `
CREATE TABLE webhook_health (
  webhook_id text PRIMARY KEY,
  failing_since bigint NOT NULL
)`

/** How attempts went stands beside what recorded events make of webhooks, and counts from the last enabling on. */
export const webhookHealth: Migration = {
  id: 41,
  name: "webhook_health",
  up: [
    health,
    `INSERT INTO webhook_health (webhook_id, failing_since)
     SELECT id, failing_since FROM webhooks WHERE failing_since IS NOT NULL`,
    "ALTER TABLE webhooks ADD COLUMN enabled_at bigint",
    `UPDATE webhooks SET enabled_at = coalesce(
       (SELECT max((event.data::json ->> 'at')::bigint) FROM events AS event
        WHERE event.stream = 'webhook/' || webhooks.id AND event.type = 'WebhookEnabled'), created_at)`,
    "ALTER TABLE webhooks ALTER COLUMN enabled_at SET NOT NULL, DROP COLUMN failing_since"
  ],
  down: [
    "ALTER TABLE webhooks ADD COLUMN failing_since bigint",
    `UPDATE webhooks AS webhook SET failing_since = health.failing_since FROM webhook_health AS health
     WHERE health.webhook_id = webhook.id AND health.failing_since >= webhook.enabled_at`,
    "ALTER TABLE webhooks DROP COLUMN enabled_at",
    "DROP TABLE webhook_health"
  ]
}
