import type { Migration } from "../Migration.ts"

const rows = `
CREATE TABLE journal (
  first_seq bigint PRIMARY KEY CHECK (first_seq > 0),
  count integer NOT NULL CHECK (count > 0),
  term bigint NOT NULL CHECK (term > 0),
  recorded_at bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  answers_digest bytea NOT NULL CHECK (octet_length(answers_digest) = 32),
  body text NOT NULL CHECK (octet_length(body) <= 1048576),
  answers text
)`

/** What was committed, a row for some entries of one commit. It begins with the next commit. */
export const journal: Migration = {
  id: 37,
  name: "journal",
  up: [
    rows,
    // Compressing costs a commit more than writing.
    "ALTER TABLE journal ALTER body SET STORAGE EXTERNAL",
    "ALTER TABLE journal ALTER answers SET STORAGE EXTERNAL"
  ],
  down: ["DROP TABLE journal"]
}
