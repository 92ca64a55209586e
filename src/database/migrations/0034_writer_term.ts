import type { Migration } from "../Migration.ts"

/** Which server may append events: the one that took the last term. */
export const writerTerm: Migration = {
  id: 34,
  name: "writer_term",
  up: [
    `CREATE TABLE writer_term (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       term bigint NOT NULL CHECK (term >= 0),
       holder text NOT NULL,
       sessions text NOT NULL,
       system_identifier bigint,
       timeline integer,
       taken_at timestamptz NOT NULL DEFAULT now()
     )`,
    "INSERT INTO writer_term (term, holder, sessions) VALUES (0, '', '')"
  ],
  down: ["DROP TABLE writer_term"]
}
