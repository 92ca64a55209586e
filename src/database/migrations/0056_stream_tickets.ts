import type { Migration } from "../Migration.ts"

/** Tickets that wait to be used. What a crash of PostgreSQL loses of them is asked for again. */
export const streamTickets: Migration = {
  id: 56,
  name: "stream_tickets",
  up: [
    `CREATE UNLOGGED TABLE stream_tickets (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hash bytea NOT NULL UNIQUE,
      user_id text NOT NULL,
      proof bytea NOT NULL,
      expires_at bigint NOT NULL
    )`,
    "CREATE INDEX stream_tickets_of_user ON stream_tickets (user_id, id)"
  ],
  down: ["DROP TABLE stream_tickets"]
}
