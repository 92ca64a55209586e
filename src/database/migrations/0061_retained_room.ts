import type { Migration } from "../Migration.ts"

/** Tables of which old rows are removed all the time. */
const TABLES = ["webhook_events", "webhook_deliveries", "webhook_attempts", "arena_medians", "request_log"]

/** The room of removed rows is used again once a fiftieth of a table is, and not only a fifth of it. */
export const retainedRoom: Migration = {
  id: 61,
  name: "retained_room",
  up: TABLES.map((table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02)`),
  down: TABLES.map((table) => `ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor)`)
}
