import type { Migration } from "../Migration.ts"

/** What an event tells the audit log stands there once, however often it is written. */
export const auditEvents: Migration = {
  id: 43,
  name: "audit_events",
  up: ["ALTER TABLE audit_log ADD COLUMN event_seq bigint UNIQUE"],
  down: ["ALTER TABLE audit_log DROP COLUMN event_seq"]
}
