import type { Migration } from "../Migration.ts"

const days = `
CREATE TABLE arena_history_days (
  day integer PRIMARY KEY CHECK (day >= 0),
  bids text NOT NULL CHECK (bids IN ('open', 'sealed')),
  orders bigint NOT NULL CHECK (orders > 0),
  commitments bigint NOT NULL CHECK (commitments >= 0),
  journal_seq bigint NOT NULL CHECK (journal_seq >= 0),
  journal_hash bytea NOT NULL CHECK (octet_length(journal_hash) = 32),
  previous bytea NOT NULL UNIQUE CHECK (octet_length(previous) = 32),
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32)
)`

const files = `
CREATE TABLE arena_history_files (
  day integer NOT NULL REFERENCES arena_history_days,
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  PRIMARY KEY (day, name)
)`

/** The sealed days of the arena's history. Its files are made of orders and commitments whenever they are asked for. */
export const arenaHistory: Migration = {
  id: 57,
  name: "arena_history",
  up: [days, files, "CREATE INDEX arena_orders_by_settlement ON arena_orders (settlement_at, id)"],
  down: ["DROP INDEX arena_orders_by_settlement", "DROP TABLE arena_history_files", "DROP TABLE arena_history_days"]
}
