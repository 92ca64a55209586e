import type { Migration } from "../Migration.ts"

const allow = (kinds: ReadonlyArray<string>) =>
  `ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")}))`

const DROP_KINDS = "ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_kind_check"

const before = [
  "custody",
  "wallet",
  "allowance",
  "vault",
  "yield_source",
  "insurance",
  "platform",
  "token_holders",
  "stock",
  "credit_limit",
  "fx_desk"
]

const bots = `
CREATE TABLE bots (
  id text PRIMARY KEY CHECK (id ~ '^bot_[0-9a-z]{24}$'),
  company_id text NOT NULL,
  user_id text NOT NULL,
  wallet_address text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  capabilities text[] NOT NULL CHECK (cardinality(capabilities) BETWEEN 1 AND 4
    AND capabilities <@ ARRAY['commodity', 'fx', 'options', 'gpu']),
  risk_preset text NOT NULL CHECK (risk_preset IN ('conservative', 'balanced', 'aggressive', 'custom')),
  risk_level bigint NOT NULL CHECK (risk_level BETWEEN 0 AND 1000000),
  max_loss_pct bigint NOT NULL CHECK (max_loss_pct > 0 AND max_loss_pct <= 100000000),
  min_roi_pct bigint NOT NULL CHECK (min_roi_pct BETWEEN 0 AND 100000000),
  max_collateral_per_trade bigint NOT NULL CHECK (max_collateral_per_trade > 0),
  credit_budget bigint NOT NULL CHECK (credit_budget >= 0),
  auto_top_up boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('inactive', 'active', 'paused', 'suspended', 'terminated')),
  cause text CHECK (cause IN ('credits_gone', 'loss_limit', 'breaker_open', 'plan_downgraded')),
  net_funded numeric(38, 0) NOT NULL CHECK (net_funded >= 0),
  loss_allowance numeric(38, 0) NOT NULL CHECK (loss_allowance >= 0),
  turns integer NOT NULL CHECK (turns > 0),
  created_at bigint NOT NULL,
  status_at bigint NOT NULL,
  event_seq bigint NOT NULL REFERENCES events,
  CHECK ((status = 'suspended') = (cause IS NOT NULL))
)`

const spans = `
CREATE TABLE machine_trader_spans (
  event_seq bigint PRIMARY KEY REFERENCES events,
  trader_id text NOT NULL REFERENCES machine_traders,
  owner text NOT NULL,
  capabilities text[] NOT NULL,
  active_from bigint NOT NULL,
  active_until bigint CHECK (active_until >= active_from)
)`

const activity = `
CREATE VIEW machine_trader_activity AS
  SELECT id AS trader_id, owner, capabilities, active_from, active_until FROM machine_traders
  WHERE active_from IS NOT NULL
  UNION ALL
  SELECT trader_id, owner, capabilities, active_from, active_until FROM machine_trader_spans`

const decisions = `
CREATE TABLE bot_decisions (
  id text PRIMARY KEY,
  event_seq bigint NOT NULL UNIQUE REFERENCES events,
  bot_id text NOT NULL REFERENCES bots,
  order_id text NOT NULL REFERENCES arena_orders,
  at bigint NOT NULL,
  dry_run boolean NOT NULL,
  code text NOT NULL,
  input text NOT NULL,
  decision text NOT NULL,
  charge_id text,
  free bigint NOT NULL CHECK (free >= 0),
  paid bigint NOT NULL CHECK (paid >= 0),
  CHECK ((charge_id IS NULL) <= (free = 0 AND paid = 0))
)`

const guards = `
CREATE TABLE bot_guards (
  company_id text PRIMARY KEY,
  deadline_at bigint,
  set_at bigint NOT NULL,
  set_by text,
  event_seq bigint NOT NULL REFERENCES events
)`

const charges = `
CREATE TABLE evaluation_charges (
  id text PRIMARY KEY,
  company_id text NOT NULL,
  bot_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  free bigint NOT NULL CHECK (free >= 0),
  paid bigint NOT NULL CHECK (paid >= 0),
  status text NOT NULL CHECK (status IN ('held', 'captured', 'released', 'lapsed')),
  held_at bigint NOT NULL,
  ended_at bigint,
  placed_by bigint NOT NULL REFERENCES events,
  resolved_by bigint REFERENCES events,
  CHECK (free + paid > 0),
  CHECK ((status = 'held') = (resolved_by IS NULL) AND (status = 'held') = (ended_at IS NULL))
)`

const movements = `
CREATE TABLE evaluation_credit_movements (
  event_seq bigint PRIMARY KEY REFERENCES events,
  company_id text NOT NULL,
  bot_id text,
  user_id text,
  at bigint NOT NULL,
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  kind text NOT NULL CHECK (kind IN ('grant', 'lapse', 'topup', 'hold', 'capture', 'release')),
  free bigint NOT NULL,
  paid bigint NOT NULL,
  usd bigint NOT NULL CHECK (usd >= 0),
  automatic boolean NOT NULL,
  charge_id text
)`

const periods = `
CREATE TABLE evaluation_credit_periods (
  id text PRIMARY KEY CHECK (id = company_id || '/' || period),
  company_id text NOT NULL,
  period text NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  granted bigint NOT NULL CHECK (granted >= 0),
  granted_at bigint NOT NULL,
  lapsed bigint CHECK (lapsed >= 0),
  lapsed_at bigint,
  CHECK ((lapsed IS NULL) = (lapsed_at IS NULL))
)`

/** Bots, which are machine traders too, and the credits that they evaluate orders with. Going back needs none of them. */
export const botTables: Migration = {
  id: 23,
  name: "bots",
  up: [
    DROP_KINDS,
    allow([...before, "credits_free", "credits_paid"]),
    `ALTER TABLE machine_traders
       DROP CONSTRAINT machine_traders_id_check,
       ADD CONSTRAINT machine_traders_id_check CHECK (id ~ '^(mtr|bot)_[0-9a-z]{24}$'),
       DROP CONSTRAINT machine_traders_collateral_allocated_check,
       ADD CONSTRAINT machine_traders_collateral_allocated_check CHECK (collateral_allocated >= 0),
       DROP CONSTRAINT machine_traders_status_check,
       ADD CONSTRAINT machine_traders_status_check
         CHECK (status IN ('inactive', 'active', 'paused', 'suspended', 'terminated')),
       ALTER COLUMN active_from DROP NOT NULL`,
    "ALTER TABLE companies ADD COLUMN machine_trader_withdrawn boolean NOT NULL DEFAULT false",
    bots,
    "CREATE INDEX bots_by_company ON bots (company_id, created_at, id)",
    "CREATE INDEX bots_active ON bots (id) WHERE status = 'active'",
    spans,
    "CREATE INDEX machine_trader_spans_by_trader ON machine_trader_spans (trader_id, active_from)",
    "CREATE INDEX machine_trader_spans_open ON machine_trader_spans (trader_id) WHERE active_until IS NULL",
    activity,
    decisions,
    "CREATE INDEX bot_decisions_by_bot ON bot_decisions (bot_id, event_seq DESC)",
    "CREATE UNIQUE INDEX bot_decisions_once ON bot_decisions (bot_id, order_id) WHERE NOT dry_run",
    guards,
    "CREATE INDEX bot_guards_due ON bot_guards (deadline_at) WHERE deadline_at IS NOT NULL",
    charges,
    "CREATE INDEX evaluation_charges_held ON evaluation_charges (company_id, bot_id) WHERE status = 'held'",
    movements,
    "CREATE INDEX evaluation_credit_movements_by_company ON evaluation_credit_movements (company_id, event_seq DESC)",
    "CREATE INDEX evaluation_credit_movements_by_bot ON evaluation_credit_movements (bot_id, event_seq DESC)",
    periods
  ],
  down: [
    "DROP TABLE evaluation_credit_periods",
    "DROP TABLE evaluation_credit_movements",
    "DROP TABLE evaluation_charges",
    "DROP TABLE bot_guards",
    "DROP TABLE bot_decisions",
    "DROP VIEW machine_trader_activity",
    "DROP TABLE machine_trader_spans",
    "DROP TABLE bots",
    "ALTER TABLE companies DROP COLUMN machine_trader_withdrawn",
    `ALTER TABLE machine_traders
       DROP CONSTRAINT machine_traders_id_check,
       ADD CONSTRAINT machine_traders_id_check CHECK (id ~ '^mtr_[0-9a-z]{24}$'),
       DROP CONSTRAINT machine_traders_collateral_allocated_check,
       ADD CONSTRAINT machine_traders_collateral_allocated_check CHECK (collateral_allocated > 0),
       DROP CONSTRAINT machine_traders_status_check,
       ADD CONSTRAINT machine_traders_status_check CHECK (status IN ('active', 'suspended', 'terminated')),
       ALTER COLUMN active_from SET NOT NULL`,
    DROP_KINDS,
    allow(before)
  ]
}
