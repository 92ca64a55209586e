import { ORDER_COLUMNS } from "../commerce/PurchaseOrderColumns.ts"
import { PAYMENT_COLUMNS } from "../payments/PaymentColumns.ts"
import { columnNames } from "./RowColumns.ts"

/**
 * What the events decide of each table, by its columns; the first is the row's key. What is not named here is no
 * consequence of events: settings, prices, and who registered what.
 */
export const STATE_COLUMNS = {
  arena_commitments: [
    "id",
    "order_id",
    "event_seq",
    "owner",
    "user_id",
    "bot_id",
    "trader_address",
    "trader_type",
    "proposed_price",
    "exit_price",
    "quantity",
    "slippage",
    "swap_executor",
    "collateral",
    "accepted_at",
    "status",
    "reason",
    "ranked",
    "score",
    "profit",
    "yield_earned"
  ],
  arena_orders: [
    "id",
    "asset_type",
    "asset",
    "details",
    "quantity",
    "entry_price",
    "opened_at",
    "expiry_at",
    "settlement_at",
    "status",
    "maker_owner",
    "maker_address",
    "tie_key_hash",
    "tie_key",
    "reference_price",
    "reference_at",
    "winner_commitment_id",
    "clearing_price",
    "fairness",
    "settlement_price",
    "profit",
    "yield_distributed",
    "void_reason",
    "maker_discount"
  ],
  arena_vault_totals: ["singleton", "yield_generated", "collateral_locked", "active_commitments"],
  bot_decisions: [
    "id",
    "event_seq",
    "bot_id",
    "order_id",
    "at",
    "dry_run",
    "code",
    "input",
    "decision",
    "charge_id",
    "free",
    "paid"
  ],
  bot_guards: ["company_id", "deadline_at", "set_at", "set_by", "event_seq"],
  bots: [
    "id",
    "company_id",
    "user_id",
    "wallet_address",
    "name",
    "capabilities",
    "risk_preset",
    "risk_level",
    "max_loss_pct",
    "min_roi_pct",
    "max_collateral_per_trade",
    "credit_budget",
    "auto_top_up",
    "status",
    "cause",
    "net_funded",
    "loss_allowance",
    "turns",
    "created_at",
    "status_at",
    "event_seq",
    "strategy_module",
    "module_failure"
  ],
  commitment_halts: ["company_id", "halted_at", "halted_by", "cause", "deadline_at", "armed", "event_seq"],
  credit_assessments: [
    "event_seq",
    "user_id",
    "company_id",
    "assessed_at",
    "request",
    "score",
    "probability",
    "band",
    "assessed_limit",
    "granted",
    "apr",
    "points",
    "reasons",
    "model_version"
  ],
  credit_limits: ["user_id", "company_id", "granted", "posted", "assessed_by", "event_seq"],
  evaluation_credit_budgets: [
    "id",
    "company_id",
    "bot_id",
    "period",
    "account",
    "times",
    "budget",
    "topped_up",
    "event_seq"
  ],
  evaluation_credit_movements: [
    "event_seq",
    "company_id",
    "bot_id",
    "user_id",
    "at",
    "period",
    "kind",
    "free",
    "paid",
    "usd",
    "automatic",
    "charge_id"
  ],
  evaluation_credit_periods: ["id", "company_id", "period", "granted", "granted_at", "lapsed", "lapsed_at"],
  funds: ["id", "owner", "asset", "account", "created_at"],
  fx_quotes: [
    "id",
    "owner",
    "base",
    "quote",
    "side",
    "quantity",
    "rate",
    "value",
    "quoted_at",
    "expires_at",
    "used_by"
  ],
  ledger_accounts: ["id", "balance", "held", "closed"],
  ledger_baskets: ["id", "parts", "status", "placed_by", "resolved_by"],
  ledger_holds: ["id", "account", "into_account", "amount", "status", "captured", "placed_by", "resolved_by"],
  ledger_receivables: ["id", "account", "amount", "event_seq"],
  ledger_transfers: ["id", "debit_account", "credit_account", "amount", "purpose", "event_seq"],
  machine_trader_spans: ["event_seq", "trader_id", "owner", "capabilities", "active_from", "active_until"],
  machine_traders: [
    "id",
    "agent_id",
    "agent_uri",
    "owner",
    "user_id",
    "wallet_address",
    "capabilities",
    "collateral_allocated",
    "model",
    "risk_tolerance",
    "status",
    "active_from",
    "active_until"
  ],
  payment_refunds: [
    "id",
    "payment_id",
    "amount",
    "cause",
    "seller_id",
    "state",
    "failure",
    "requested_at",
    "settled_at",
    "attempts"
  ],
  payments: columnNames(PAYMENT_COLUMNS),
  products: [
    "id",
    "company_id",
    "user_id",
    "name",
    "description",
    "price",
    "type",
    "insurable",
    "bidable",
    "is_contract",
    "version",
    "stock_account",
    "created_at",
    "updated_at",
    "metadata"
  ],
  purchase_order_payments: ["id", "order_id", "from_account", "amount", "paid_at", "refunded_at"],
  purchase_orders: columnNames(ORDER_COLUMNS),
  subscription_history: ["event_seq", "subscription_id", "at", "event", "user_id", "period", "amount", "reason"],
  subscriptions: [
    "id",
    "company_id",
    "user_id",
    "seller_id",
    "seller_user_id",
    "product_id",
    "quantity",
    "unit_price",
    "every",
    "periods",
    "start_at",
    "created_at",
    "status",
    "paid_periods",
    "failures",
    "failed_at",
    "next_at",
    "ends_at",
    "ended_at",
    "end_reason",
    "event_seq",
    "metadata"
  ],
  transfers: [
    "key",
    "id",
    "sender",
    "recipient",
    "payout",
    "base",
    "quote",
    "mode",
    "side",
    "quantity",
    "rate",
    "worst",
    "taken",
    "received",
    "quote_id",
    "country",
    "description",
    "created_date",
    "at",
    "event_seq",
    "metadata"
  ],
  webhooks: [
    "id",
    "company_id",
    "created_by",
    "url",
    "events",
    "description",
    "status",
    "disabled_cause",
    "disabled_at",
    "secret_number",
    "previous_until",
    "earlier_until",
    "created_at",
    "enabled_at",
    "updated_at",
    "created_seq",
    "event_seq",
    "metadata"
  ],
  withdrawals: ["id", "owner", "fund_id", "asset", "quantity", "at", "event_seq"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type StateTable = keyof typeof STATE_COLUMNS

/** In the order of their names. */
export const STATE_TABLES = Object.keys(STATE_COLUMNS) as ReadonlyArray<StateTable>

/**
 * What is compared row by row and left out of a state's hash, beside metadata: a table's columns, all of them where the
 * whole table is. What is added to {@link STATE_COLUMNS} belongs here too, so that a log gives for ever the hash that
 * it once gave.
 */
const UNHASHED: Readonly<Partial<Record<StateTable, ReadonlyArray<string>>>> = {
  bots: ["strategy_module", "module_failure"],
  ledger_accounts: ["closed"],
  machine_traders: STATE_COLUMNS.machine_traders,
  payment_refunds: ["attempts"],
  purchase_orders: ["reminded", "overdue", "overdue_amount", "next_due"],
  webhooks: ["enabled_at", "earlier_until"]
}

const isHashed = (table: StateTable, column: string): boolean =>
  column !== "metadata" && UNHASHED[table]?.includes(column) !== true

/** Where a state's hash has a row's values, of the tables of which it leaves something out. */
const HASHED_PLACES: ReadonlyMap<StateTable, ReadonlyArray<number>> = new Map(
  STATE_TABLES.flatMap((table) => {
    const columns: ReadonlyArray<string> = STATE_COLUMNS[table]
    const places = columns.flatMap((column, index) => (isHashed(table, column) ? [index] : []))
    return places.length === columns.length ? [] : [[table, places] as const]
  })
)

/** The tables that have a part in a state's hash, in the order of their names. */
export const HASHED_TABLES: ReadonlyArray<StateTable> = STATE_TABLES.filter(
  (table) => HASHED_PLACES.get(table)?.length !== 0
)

/** One row as text, in the order of its table's columns: integers in decimal, null where the column is. */
export interface StateRow {
  readonly table: StateTable
  readonly values: ReadonlyArray<string | null>
}

export const keyOf = ({ values }: StateRow): string => values[0] ?? ""

/** An open account that holds nothing is the same as none, and so is a vault that never had anything. */
export const isNothing = ({ table, values }: StateRow): boolean =>
  (table === "ledger_accounts" || table === "arena_vault_totals") &&
  values.slice(1).every((value) => value === "0" || value === "false")

/** A row as a state's hash has it, which is the row itself where it leaves nothing out; undefined where it has none. */
export const hashedRow = (row: StateRow): StateRow | undefined => {
  const places = HASHED_PLACES.get(row.table)
  if (places === undefined) return row
  return places.length === 0 ? undefined : { ...row, values: places.map((place) => row.values[place] ?? null) }
}

/** The first column in which two rows of a table differ. */
export const columnThatDiffers = (one: StateRow, other: StateRow): string | undefined => {
  const columns: ReadonlyArray<string> = STATE_COLUMNS[one.table]
  return columns.find((_, index) => one.values[index] !== other.values[index])
}
