import type { Migration } from "../Migration.ts"

/** When a client got another secret: tokens that it gave before are refused, also after a start. */
export const rotatedClients: Migration = {
  id: 73,
  name: "rotated_clients",
  up: ["ALTER TABLE api_clients ADD COLUMN rotated_at bigint"],
  down: ["ALTER TABLE api_clients DROP COLUMN rotated_at"]
}
