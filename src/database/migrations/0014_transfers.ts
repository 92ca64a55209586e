import type { Migration } from "../Migration.ts"

const beneficiaries = `
CREATE TABLE beneficiaries (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  owner text NOT NULL REFERENCES users,
  account_name text NOT NULL CHECK (char_length(account_name) BETWEEN 1 AND 140),
  number_box bytea,
  number_end text NOT NULL CHECK (char_length(number_end) BETWEEN 1 AND 4),
  country text CHECK (country ~ '^[A-Z]{2}$'),
  bank_id text CHECK (char_length(bank_id) BETWEEN 1 AND 34),
  created_at bigint NOT NULL,
  deleted_at bigint,
  CHECK ((deleted_at IS NULL) = (number_box IS NOT NULL))
)`

const quotes = `
CREATE TABLE fx_quotes (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  owner text NOT NULL,
  base text NOT NULL CHECK (base ~ '^[A-Z0-9]{2,12}$'),
  quote text NOT NULL CHECK (quote ~ '^[A-Z0-9]{2,12}$' AND quote <> base),
  side text NOT NULL CHECK (side IN ('Buy', 'Sell')),
  quantity numeric(38, 0) NOT NULL CHECK (quantity > 0),
  rate numeric(38, 0) NOT NULL CHECK (rate > 0),
  value numeric(38, 0) NOT NULL CHECK (value > 0),
  quoted_at bigint NOT NULL,
  expires_at bigint NOT NULL CHECK (expires_at > quoted_at),
  used_by text UNIQUE
)`

const transfers = `
CREATE TABLE transfers (
  key text PRIMARY KEY CHECK (key = sender || '/' || id),
  id text NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  sender text NOT NULL,
  recipient text NOT NULL,
  payout boolean NOT NULL,
  base text NOT NULL CHECK (base ~ '^[A-Z0-9]{2,12}$'),
  quote text NOT NULL CHECK (quote ~ '^[A-Z0-9]{2,12}$'),
  mode text NOT NULL CHECK (mode IN ('local', 'international')),
  side text NOT NULL CHECK (side IN ('Buy', 'Sell')),
  quantity numeric(38, 0) NOT NULL CHECK (quantity > 0),
  rate numeric(38, 0) CHECK (rate > 0),
  worst numeric(38, 0) CHECK (worst >= 0),
  taken numeric(38, 0) NOT NULL CHECK (taken > 0),
  received numeric(38, 0) NOT NULL CHECK (received > 0),
  quote_id text UNIQUE REFERENCES fx_quotes,
  country text NOT NULL,
  description text NOT NULL,
  created_date integer NOT NULL,
  at bigint NOT NULL,
  event_seq bigint NOT NULL REFERENCES events,
  CHECK ((mode = 'local') = (rate IS NULL)),
  CHECK (mode = 'international' OR (taken = quantity AND received = quantity AND quote_id IS NULL))
)`

const withdrawals = `
CREATE TABLE withdrawals (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  owner text NOT NULL,
  fund_id text NOT NULL REFERENCES funds,
  asset text NOT NULL,
  quantity numeric(38, 0) NOT NULL CHECK (quantity > 0),
  at bigint NOT NULL,
  event_seq bigint NOT NULL REFERENCES events
)`

/** Money that moves between owners and out, rates that are held for it, and the accounts outside that it may go to. */
export const transferTables: Migration = {
  id: 14,
  name: "transfers",
  up: [
    beneficiaries,
    "CREATE INDEX beneficiaries_by_owner ON beneficiaries (owner, created_at) WHERE deleted_at IS NULL",
    quotes,
    transfers,
    "CREATE INDEX transfers_by_sender ON transfers (sender, event_seq)",
    "CREATE INDEX transfers_by_recipient ON transfers (recipient, event_seq)",
    withdrawals,
    "CREATE INDEX withdrawals_by_owner ON withdrawals (owner, event_seq)"
  ],
  down: ["DROP TABLE withdrawals", "DROP TABLE transfers", "DROP TABLE fx_quotes", "DROP TABLE beneficiaries"]
}
