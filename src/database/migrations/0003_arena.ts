import type { Migration } from "../Migration.ts"

const orders = `
CREATE TABLE arena_orders (
  id text PRIMARY KEY CHECK (id ~ '^ord_[0-9a-f]{24}$'),
  asset_type text NOT NULL CHECK (asset_type IN ('commodity', 'fx', 'options', 'gpu')),
  asset text NOT NULL,
  details text NOT NULL,
  quantity bigint NOT NULL CHECK (quantity > 0),
  entry_price bigint NOT NULL CHECK (entry_price > 0),
  opened_at bigint NOT NULL,
  expiry_at bigint NOT NULL,
  settlement_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'competing', 'settling', 'settled')),
  maker_owner text NOT NULL,
  maker_address text NOT NULL,
  tie_key_hash text NOT NULL CHECK (tie_key_hash ~ '^[0-9a-f]{64}$'),
  tie_key text CHECK (tie_key ~ '^[0-9a-f]{64}$'),
  reference_price bigint CHECK (reference_price > 0),
  reference_at bigint,
  winner_commitment_id text,
  clearing_price bigint CHECK (clearing_price >= reference_price),
  fairness text,
  settlement_price bigint CHECK (settlement_price >= 0),
  profit bigint,
  yield_distributed bigint CHECK (yield_distributed >= 0),
  void_reason text,
  CHECK (opened_at < expiry_at AND expiry_at < settlement_at),
  CHECK ((status = 'settled') = (tie_key IS NOT NULL)),
  CHECK ((winner_commitment_id IS NULL) = (clearing_price IS NULL))
)`

const commitments = `
CREATE TABLE arena_commitments (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES arena_orders,
  event_seq bigint NOT NULL UNIQUE,
  owner text NOT NULL,
  user_id text NOT NULL,
  bot_id text,
  trader_address text NOT NULL,
  trader_type text NOT NULL CHECK (trader_type IN ('human', 'machine')),
  proposed_price bigint NOT NULL CHECK (proposed_price > 0),
  exit_price bigint NOT NULL CHECK (exit_price > 0),
  quantity bigint NOT NULL CHECK (quantity > 0),
  slippage integer NOT NULL CHECK (slippage BETWEEN 0 AND 50000),
  swap_executor text NOT NULL,
  collateral bigint NOT NULL CHECK (collateral > 0),
  accepted_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'won', 'lost', 'settled')),
  reason text CHECK (reason IN ('outbid', 'below_reference', 'ARENA_007', 'void')),
  ranked integer CHECK (ranked > 0),
  score numeric(38, 0),
  profit bigint NOT NULL DEFAULT 0 CHECK (abs(profit) <= collateral),
  yield_earned bigint NOT NULL DEFAULT 0 CHECK (yield_earned >= 0),
  CHECK ((status = 'lost') = (reason IS NOT NULL))
)`

const medians = `
CREATE TABLE arena_medians (
  asset text NOT NULL,
  at bigint NOT NULL,
  price bigint NOT NULL CHECK (price > 0),
  safe boolean NOT NULL,
  source text NOT NULL,
  PRIMARY KEY (asset, at)
)`

const breakers = `
CREATE TABLE arena_breaker_transitions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text NOT NULL CHECK (scope IN ('global', 'commodity', 'fx', 'options', 'gpu')),
  state text NOT NULL CHECK (state IN ('closed', 'open', 'half_open')),
  reason text,
  at bigint NOT NULL
)`

const vaultYields = `
CREATE TABLE arena_vault_yields (
  at bigint PRIMARY KEY,
  index numeric(60, 0) NOT NULL CHECK (index > 0),
  apy bigint NOT NULL CHECK (apy >= 0)
)`

const vaultTotals = `
CREATE TABLE arena_vault_totals (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  yield_generated numeric(38, 0) NOT NULL DEFAULT 0 CHECK (yield_generated >= 0),
  collateral_locked numeric(38, 0) NOT NULL DEFAULT 0 CHECK (collateral_locked >= 0),
  active_commitments bigint NOT NULL DEFAULT 0 CHECK (active_commitments >= 0)
)`

const machineTraders = `
CREATE TABLE machine_traders (
  id text PRIMARY KEY CHECK (id ~ '^mtr_[0-9a-z]{24}$'),
  agent_id text NOT NULL UNIQUE CHECK (char_length(agent_id) BETWEEN 1 AND 200),
  agent_uri text NOT NULL,
  owner text NOT NULL,
  user_id text NOT NULL,
  wallet_address text NOT NULL CHECK (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  capabilities text[] NOT NULL CHECK (cardinality(capabilities) > 0
    AND capabilities <@ ARRAY['commodity', 'fx', 'options', 'gpu']),
  collateral_allocated bigint NOT NULL CHECK (collateral_allocated > 0),
  model text NOT NULL,
  risk_tolerance text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'terminated')),
  active_from bigint NOT NULL,
  active_until bigint CHECK (active_until >= active_from)
)`

export const arena: Migration = {
  id: 3,
  name: "arena",
  up: [
    orders,
    "CREATE INDEX arena_orders_by_opening ON arena_orders (opened_at DESC, id)",
    "CREATE INDEX arena_orders_by_type ON arena_orders (asset_type, opened_at DESC, id)",
    "CREATE INDEX arena_orders_live ON arena_orders (status) WHERE status <> 'settled'",
    commitments,
    "CREATE INDEX arena_commitments_by_order ON arena_commitments (order_id, event_seq)",
    "CREATE INDEX arena_commitments_by_user ON arena_commitments (user_id, event_seq DESC)",
    "CREATE INDEX arena_commitments_by_bot ON arena_commitments (bot_id, event_seq DESC) WHERE bot_id IS NOT NULL",
    medians,
    breakers,
    vaultYields,
    vaultTotals,
    "INSERT INTO arena_vault_totals DEFAULT VALUES",
    machineTraders,
    "CREATE INDEX machine_traders_by_owner ON machine_traders (owner)"
  ],
  down: [
    "DROP TABLE machine_traders",
    "DROP TABLE arena_vault_totals",
    "DROP TABLE arena_vault_yields",
    "DROP TABLE arena_breaker_transitions",
    "DROP TABLE arena_medians",
    "DROP TABLE arena_commitments",
    "DROP TABLE arena_orders"
  ]
}
