import type { Migration } from "../Migration.ts"

const payments = `
CREATE TABLE payments (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  order_id text NOT NULL CHECK (char_length(order_id) BETWEEN 1 AND 64),
  payer text NOT NULL,
  company_id text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('wallet', 'sandbox-card', 'stripe')),
  instrument text CHECK (char_length(instrument) BETWEEN 1 AND 64),
  direct boolean NOT NULL,
  extent text CHECK (extent IN ('next', 'all')),
  capture text NOT NULL CHECK (capture IN ('automatic', 'manual')),
  state text NOT NULL CHECK (state IN
    ('created', 'authorized', 'capturing', 'voiding', 'captured', 'failed', 'voided')),
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  captured numeric(38, 0) NOT NULL DEFAULT 0,
  applied numeric(38, 0) NOT NULL DEFAULT 0,
  refunding numeric(38, 0) NOT NULL DEFAULT 0 CHECK (refunding >= 0),
  refunded numeric(38, 0) NOT NULL DEFAULT 0 CHECK (refunded >= 0),
  failure text CHECK (char_length(failure) BETWEEN 1 AND 64),
  dispute text CHECK (dispute IN ('open', 'won', 'lost')),
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  due_at bigint,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  CHECK (captured = CASE WHEN state = 'captured' THEN amount ELSE 0 END),
  CHECK (applied BETWEEN 0 AND captured),
  CHECK (refunded + refunding <= captured),
  CHECK ((state = 'failed') = (failure IS NOT NULL)),
  CHECK (dispute IS NULL OR state = 'captured'),
  CHECK (NOT direct OR provider = 'wallet')
)`

const refunds = `
CREATE TABLE payment_refunds (
  id text PRIMARY KEY CHECK (char_length(id) BETWEEN 1 AND 64),
  payment_id text NOT NULL REFERENCES payments,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  cause text NOT NULL CHECK (cause IN ('seller', 'unneeded')),
  seller_id text,
  state text NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed')),
  failure text CHECK (char_length(failure) BETWEEN 1 AND 64),
  requested_at bigint NOT NULL,
  settled_at bigint,
  CHECK ((cause = 'seller') = (seller_id IS NOT NULL)),
  CHECK ((state = 'failed') = (failure IS NOT NULL)),
  CHECK ((state = 'pending') = (settled_at IS NULL))
)`

const sandbox = `
CREATE TABLE sandbox_card_requests (
  key text PRIMARY KEY CHECK (char_length(key) BETWEEN 1 AND 200),
  charge_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('authorize', 'capture', 'refund', 'void')),
  card text NOT NULL,
  amount numeric(38, 0) NOT NULL CHECK (amount > 0),
  attempts integer NOT NULL CHECK (attempts > 0),
  outcome text NOT NULL CHECK (outcome IN ('unheard', 'approved', 'declined')),
  reason text,
  at bigint NOT NULL,
  CHECK ((outcome = 'declined') = (reason IS NOT NULL))
)`

/** Payments of orders, their refunds, and what the sandbox's card issuer was asked. */
export const paymentTables: Migration = {
  id: 17,
  name: "payments",
  up: [
    payments,
    "CREATE INDEX payments_of_company ON payments (company_id, created_at, id)",
    "CREATE INDEX payments_of_order ON payments (order_id, created_at, id)",
    "CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL",
    refunds,
    "CREATE INDEX payment_refunds_of_payment ON payment_refunds (payment_id, requested_at, id)",
    sandbox,
    "CREATE INDEX sandbox_card_requests_of_charge ON sandbox_card_requests (charge_id)"
  ],
  down: ["DROP TABLE sandbox_card_requests", "DROP TABLE payment_refunds", "DROP TABLE payments"]
}
