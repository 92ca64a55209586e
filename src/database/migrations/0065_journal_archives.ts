import type { Migration } from "../Migration.ts"

const archives = `
CREATE TABLE journal_archives (
  first_seq bigint PRIMARY KEY CHECK (first_seq > 0),
  last_seq bigint NOT NULL UNIQUE CHECK (last_seq >= first_seq),
  rows integer NOT NULL CHECK (rows > 0),
  previous bytea NOT NULL CHECK (octet_length(previous) = 32),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  term bigint NOT NULL,
  recorded_at bigint NOT NULL,
  name text NOT NULL UNIQUE CHECK (char_length(name) BETWEEN 1 AND 200),
  bytes integer NOT NULL CHECK (bytes > 0),
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  written_at bigint NOT NULL,
  cleared boolean NOT NULL DEFAULT false
)`

/** Tables of which old rows are removed once they are in an archive. */
const TABLES = ["journal", "events"]

/** The files that have the journal's older rows. What a message reports may be in one of them before the message goes. */
export const journalArchives: Migration = {
  id: 65,
  name: "journal_archives",
  allowed: "The version before writes a message of an event that it has read, and never removes one.",
  up: [
    archives,
    "ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_seq_fkey",
    "CREATE INDEX journal_archives_to_clear ON journal_archives (first_seq) WHERE NOT cleared",
    ...TABLES.map((table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02)`)
  ],
  // Where files have rows that the tables lack, the version before could not read its journal.
  down: [
    `DO $$ BEGIN
       IF EXISTS (SELECT FROM journal_archives) THEN
         RAISE EXCEPTION 'rows of the journal are in archive files, which the version before cannot read';
       END IF;
     END $$`,
    "ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_seq_fkey FOREIGN KEY (seq) REFERENCES events",
    ...TABLES.map((table) => `ALTER TABLE ${table} RESET (autovacuum_vacuum_scale_factor)`),
    "DROP TABLE journal_archives"
  ]
}
