import type { Migration } from "../Migration.ts"

/** How far the tables follow the journal. */
export const projection: Migration = {
  id: 45,
  name: "projection",
  up: [
    `CREATE TABLE projection (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       seq bigint NOT NULL CHECK (seq >= 0)
     )`,
    "INSERT INTO projection (seq) SELECT coalesce(max(seq), 0) FROM events"
  ],
  down: [
    // Divides by zero where the journal has events that the tables do not: the server writes them when it stops.
    `SELECT 1 / (coalesce((SELECT max(first_seq + count - 1) FROM journal), 0) <= seq)::integer FROM projection`,
    "DROP TABLE projection"
  ]
}
