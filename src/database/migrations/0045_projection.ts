import type { Migration } from "../Migration.ts"

/** How far the tables follow the journal. */
export const projection: Migration = {
  id: 45,
  name: "projection",
  up: [
    `CREATE TABLE projection (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       seq bigint NOT NULL CHECK (seq >= 0),
       term bigint NOT NULL
     )`,
    "INSERT INTO projection (seq, term) SELECT (SELECT coalesce(max(seq), 0) FROM events), term FROM writer_term"
  ],
  down: ["DROP TABLE projection"]
}
