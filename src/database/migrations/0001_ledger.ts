import type { Migration } from "../Migration.ts"

const streams = `
CREATE TABLE event_streams (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 200),
  version integer NOT NULL CHECK (version > 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
)`

const events = `
CREATE TABLE events (
  seq bigint PRIMARY KEY CHECK (seq > 0),
  stream text NOT NULL REFERENCES event_streams DEFERRABLE INITIALLY DEFERRED,
  version integer NOT NULL CHECK (version > 0),
  type text NOT NULL CHECK (char_length(type) BETWEEN 1 AND 64),
  data text NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  UNIQUE (stream, version)
)`

const accounts = `
CREATE TABLE ledger_accounts (
  id text PRIMARY KEY CHECK (id = owner || '/' || asset || '/' || kind),
  owner text NOT NULL,
  asset text NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('custody', 'wallet', 'allowance', 'vault', 'yield_source', 'insurance', 'platform', 'token_holders')),
  balance numeric(38, 0) NOT NULL DEFAULT 0,
  held numeric(38, 0) NOT NULL DEFAULT 0,
  closed boolean NOT NULL DEFAULT false,
  CHECK (kind = 'custody' OR balance >= 0),
  CHECK (held >= 0 AND (held = 0 OR held <= balance))
)`

const transfers = `
CREATE TABLE ledger_transfers (
  id text PRIMARY KEY,
  debit_account text NOT NULL REFERENCES ledger_accounts,
  credit_account text NOT NULL REFERENCES ledger_accounts,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  purpose text NOT NULL CHECK (char_length(purpose) BETWEEN 1 AND 32),
  event_seq bigint NOT NULL REFERENCES events,
  CHECK (debit_account <> credit_account)
)`

const holds = `
CREATE TABLE ledger_holds (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES ledger_accounts,
  into_account text NOT NULL,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  status text NOT NULL CHECK (status IN ('pending', 'released', 'captured')),
  captured numeric(38, 0) CHECK (captured > 0 AND captured <= amount),
  placed_by bigint NOT NULL REFERENCES events,
  resolved_by bigint REFERENCES events,
  CHECK ((status = 'captured') = (captured IS NOT NULL)),
  CHECK ((status = 'pending') = (resolved_by IS NULL))
)`

const receivables = `
CREATE TABLE ledger_receivables (
  id text PRIMARY KEY,
  account text NOT NULL,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  event_seq bigint NOT NULL REFERENCES events
)`

export const ledger: Migration = {
  id: 1,
  name: "ledger",
  up: [
    streams,
    events,
    accounts,
    "CREATE INDEX ledger_accounts_by_asset ON ledger_accounts (asset, kind)",
    transfers,
    "CREATE INDEX ledger_transfers_by_debit ON ledger_transfers (debit_account, event_seq)",
    "CREATE INDEX ledger_transfers_by_credit ON ledger_transfers (credit_account, event_seq)",
    holds,
    "CREATE INDEX ledger_holds_pending ON ledger_holds (account) WHERE status = 'pending'",
    receivables
  ],
  down: [
    "DROP TABLE ledger_receivables",
    "DROP TABLE ledger_holds",
    "DROP TABLE ledger_transfers",
    "DROP TABLE ledger_accounts",
    "DROP TABLE events",
    "DROP TABLE event_streams"
  ]
}
