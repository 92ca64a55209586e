import { describe, expect, it as plain } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { FREE_TEXT } from "../../../engine/erasure/FreeText.ts"
import { PERSONAL_TABLES } from "../../../src/App.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(TestDatabase.layer)

const PAGE = join(import.meta.dir, "../../../docs/operating/erasure.md")

/** Columns that may name a person and stay. The page says so of each of these tables, and why. */
const STAYS: Readonly<Record<string, string>> = {
  arena_commitments: "trader_address swap_executor",
  arena_history_days: "bids",
  arena_orders: "maker_address",
  audit_log: "before after",
  bots: "wallet_address",
  claims: "name",
  companies: "name",
  events: "data",
  journal: "body answers",
  machine_traders: "agent_uri agent_id wallet_address model risk_tolerance",
  payment_refunds: "failure",
  payments: "failure",
  products: "name description metadata",
  sign_in_places: "account place"
}

/** Columns of what people type, which the journal and so the tables have sealed. The page says so of each. */
const SEALED: Readonly<Record<string, string>> = {
  bots: "name",
  credit_assessments: "request",
  payments: "metadata",
  purchase_orders: "metadata",
  subscriptions: "metadata",
  transfers: "metadata description",
  webhooks: "description url metadata"
}

/** Columns that name nobody: ids, words and hashes of the platform's own. */
const NAMES_NOBODY: Readonly<Record<string, string>> = {
  activity_days: "company_id activity",
  api_clients: "client_id secret_hash company_id principal_id principal_role scopes created_by",
  arena_breaker_transitions: "scope state reason",
  arena_commitments: "id order_id owner user_id bot_id trader_type status reason",
  arena_history_days: "journal_hash previous hash",
  arena_history_files: "name sha256",
  arena_medians: "asset source",
  arena_orders:
    "id asset_type asset details status maker_owner tie_key_hash tie_key winner_commitment_id fairness void_reason",
  audit_log: "actor_id act subject_id request_id",
  bot_decisions: "id bot_id order_id code input decision charge_id",
  bot_guards: "company_id set_by",
  bots: "id company_id user_id capabilities risk_preset status cause strategy_module module_failure",
  commitment_halts: "company_id halted_by cause",
  companies: "id kind label plan managed_by country",
  company_outbox: "company_id kind user_id request_id",
  company_verifications: "company_id",
  credit_assessments: "user_id company_id band points reasons model_version",
  credit_limits: "user_id company_id",
  erasures: "id company_id erased_by request_id",
  evaluation_credit_budgets: "id company_id bot_id period account",
  evaluation_credit_movements: "company_id bot_id user_id period kind charge_id",
  evaluation_credit_periods: "id company_id period",
  event_log: "epoch",
  event_streams: "id hash",
  events: "stream type hash",
  funds: "id owner asset account",
  fx_quotes: "id owner base quote side used_by",
  journal: "hash answers_digest",
  journal_archives: "previous hash name sha256",
  ledger_accounts: "id owner asset kind",
  ledger_baskets: "id status parts",
  ledger_holds: "id account into_account status",
  ledger_receivables: "id account",
  ledger_transfers: "id debit_account credit_account purpose",
  machine_trader_owners: "trader_id owner user_id",
  machine_trader_spans: "trader_id owner capabilities",
  machine_traders: "id owner user_id capabilities status",
  metadata_keepers: "list party keeper",
  payment_refunds: "id payment_id cause seller_id state",
  payment_schedule: "payment_id",
  payments: "id order_id payer company_id provider extent capture state instrument dispute",
  price_list_prices: "customer_company_id product_id seller_company_id price_list_id",
  price_lists: "id seller_company_id customer_company_id",
  products: "id company_id user_id type stock_account",
  purchase_order_payments: "id order_id from_account",
  purchase_orders:
    "id buyer_company_id buyer_user_id status payment_status fulfilment_status terms seller_ids subtotals received fulfilled_at due_at due_amounts due_payments reminded overdue",
  refresh_families: "id user_id client_id scopes",
  refresh_tokens: "hash family_id answer",
  retention_horizons: "class",
  sandbox_card_requests: "key charge_id kind card outcome reason",
  schema_migrations: "name checksum",
  signing_keys: "kid public_jwk sealed_private_key",
  spent_sign_ins: "hash",
  stream_tickets: "hash user_id proof",
  subscription_history: "subscription_id event user_id reason",
  subscriptions: "id company_id user_id seller_id seller_user_id product_id every status end_reason",
  transfers: "key id sender recipient base quote mode side quote_id country",
  usage_days: "company_id endpoint latency",
  users: "id company_id role status scopes",
  webhook_days: "company_id",
  webhook_deliveries: "id webhook_id company_id event_id status",
  webhook_events: "id type company_id",
  webhook_health: "webhook_id",
  webhook_secrets: "id webhook_id sealed",
  webhooks: "id company_id created_by events status disabled_cause earlier_until",
  withdrawals: "id owner fund_id asset",
  writer_term: "holder sessions address"
}

/** Rows that are kept for a day at most, are removed by whom their body names, and are in no backup. */
const ERASED_BESIDE = "idempotency_keys"

/** What becomes of a column, by what it is said to be. */
const said = (table: string, column: string): ReadonlyArray<string> => {
  const personal = PERSONAL_TABLES.filter((one) => one.table === table)
  const isErased =
    table === ERASED_BESIDE || personal.some(({ columns }) => columns === undefined || Object.hasOwn(columns, column))
  const isIn = (list: Readonly<Record<string, string>>) => list[table]?.split(" ").includes(column) === true
  return [
    ...(isErased ? ["erased"] : []),
    ...(isIn(SEALED) ? ["sealed"] : []),
    ...(isIn(STAYS) ? ["stays"] : []),
    ...(isIn(NAMES_NOBODY) ? ["names nobody"] : [])
  ]
}

const columns = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly table: string; readonly column: string }>`
    SELECT c.table_name AS "table", c.column_name AS "column" FROM information_schema.columns AS c
    JOIN information_schema.tables AS t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type NOT IN ('bigint', 'boolean', 'date', 'double precision', 'integer', 'numeric', 'real',
        'smallint', 'timestamp with time zone')
    ORDER BY c.table_name, c.ordinal_position`
)

describe("Every column that holds text", () => {
  it("is erased, is sealed, stays as the page says, or names nobody", () =>
    Effect.gen(function* () {
      const found = yield* columns
      expect(found.length).toBeGreaterThan(300)
      const unclear = found.filter(({ column, table }) => said(table, column).length !== 1)
      expect(unclear.map(({ column, table }) => `${table}.${column}: ${said(table, column).join(" and ")}`)).toEqual([])
    }))

  it("is listed by the name that it has", () =>
    Effect.gen(function* () {
      const there = new Set((yield* columns).map(({ column, table }) => `${table}.${column}`))
      const listed = [SEALED, STAYS, NAMES_NOBODY].flatMap((list) =>
        Object.entries(list).flatMap(([table, names]) => names.split(" ").map((column) => `${table}.${column}`))
      )
      expect(listed.filter((one) => !there.has(one))).toEqual([])
    }))

  plain("is sealed, or stays, only where the page says so", () => {
    const [sealed = "", limits = ""] = readFileSync(PAGE, "utf8").split("## Limits")
    const silent = (list: Readonly<Record<string, string>>, text: string) =>
      Object.entries(list).flatMap(([table, names]) =>
        names
          .split(" ")
          .filter((column) => !text.includes(`\`${table}.${column}\``))
          .map((column) => `${table}.${column}`)
      )
    expect([...silent(SEALED, sealed), ...silent(STAYS, limits)]).toEqual([])
  })

  plain("takes free text of the events that the page lists", () => {
    const [listed = ""] = readFileSync(PAGE, "utf8").split("## Limits")
    const rows = listed.split("\n").filter((line) => line.startsWith("| `"))
    const missing = [...FREE_TEXT].flatMap(([tag, paths]) =>
      paths.filter((path) => !rows.some((row) => row.includes(`\`${tag}\``) && row.includes(`\`${path}\``)))
    )
    expect(missing).toEqual([])
  })
})
