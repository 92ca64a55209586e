import type { Migration } from "../Migration.ts"

const webhooks = `
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  company_id text NOT NULL,
  created_by text NOT NULL,
  url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2048),
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 64),
  description text CHECK (char_length(description) BETWEEN 1 AND 500),
  status text NOT NULL CHECK (status IN ('enabled', 'disabled', 'deleted')),
  disabled_cause text CHECK (disabled_cause IN ('requested', 'failing')),
  disabled_at bigint,
  secret_number integer NOT NULL CHECK (secret_number > 0),
  previous_until bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL CHECK (updated_at >= created_at),
  created_seq bigint NOT NULL REFERENCES events,
  event_seq bigint NOT NULL REFERENCES events,
  failing_since bigint,
  CHECK ((status = 'disabled') = (disabled_cause IS NOT NULL)),
  CHECK ((disabled_cause IS NULL) = (disabled_at IS NULL)),
  CHECK (secret_number > 1 OR previous_until IS NULL)
)`

const secrets = `
CREATE TABLE webhook_secrets (
  id text PRIMARY KEY CHECK (id = webhook_id || '/' || number),
  webhook_id text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  sealed bytea NOT NULL,
  created_at bigint NOT NULL
)`

const events = `
CREATE TABLE webhook_events (
  id text PRIMARY KEY,
  seq bigint NOT NULL REFERENCES events,
  type text NOT NULL CHECK (char_length(type) BETWEEN 1 AND 64),
  company_id text NOT NULL,
  created_at bigint NOT NULL,
  body text NOT NULL,
  UNIQUE (seq, company_id, type)
)`

const deliveries = `
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES webhooks,
  company_id text NOT NULL,
  event_id text NOT NULL REFERENCES webhook_events,
  event_seq bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'held', 'delivered', 'failed')),
  attempts integer NOT NULL CHECK (attempts >= 0),
  round integer NOT NULL CHECK (round > 0),
  due_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (webhook_id, event_seq, event_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
)`

const attempts = `
CREATE TABLE webhook_attempts (
  delivery_id text NOT NULL REFERENCES webhook_deliveries,
  round integer NOT NULL CHECK (round > 0),
  n integer NOT NULL CHECK (n > 0),
  started_at bigint NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  url text NOT NULL,
  headers text NOT NULL,
  status integer CHECK (status BETWEEN 100 AND 999),
  error text,
  answer text,
  PRIMARY KEY (delivery_id, round, n),
  CHECK ((status IS NULL) = (error IS NOT NULL))
)`

const cursor = `
CREATE TABLE webhook_cursor (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  seq bigint NOT NULL CHECK (seq >= 0)
)`

const days = `
CREATE TABLE webhook_days (
  company_id text NOT NULL,
  day date NOT NULL,
  deliveries bigint NOT NULL CHECK (deliveries >= 0),
  PRIMARY KEY (company_id, day)
)`

/** Where companies are told of what happens, what they are told, and what came of it. */
export const webhookTables: Migration = {
  id: 30,
  name: "webhooks",
  up: [
    webhooks,
    "CREATE INDEX webhooks_by_company ON webhooks (company_id, created_at, id) WHERE status <> 'deleted'",
    secrets,
    events,
    "CREATE INDEX webhook_events_by_company ON webhook_events (company_id, seq)",
    deliveries,
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE status = 'pending'",
    "CREATE INDEX webhook_deliveries_held ON webhook_deliveries (company_id, event_seq) WHERE status = 'held'",
    "CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, updated_at) WHERE status = 'failed'",
    attempts,
    cursor,
    "INSERT INTO webhook_cursor (seq) SELECT coalesce(max(seq), 0) FROM events",
    days
  ],
  down: [
    "DROP TABLE webhook_days",
    "DROP TABLE webhook_cursor",
    "DROP TABLE webhook_attempts",
    "DROP TABLE webhook_deliveries",
    "DROP TABLE webhook_events",
    "DROP TABLE webhook_secrets",
    "DROP TABLE webhooks"
  ]
}
