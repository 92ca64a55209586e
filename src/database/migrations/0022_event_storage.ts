import type { Migration } from "../Migration.ts"

/**
 * Events of up to 4,096 bytes are stored as they are: compressing an order of ten lines took a quarter of the processor
 * time that PostgreSQL spends on its event.
 */
export const eventStorage: Migration = {
  id: 22,
  name: "event_storage",
  up: ["ALTER TABLE events SET (toast_tuple_target = 4096)"],
  down: ["ALTER TABLE events RESET (toast_tuple_target)"]
}
