import type { Migration } from "../Migration.ts"
import { dropReferences, keepReferences, type Reference } from "../References.ts"

interface Referring {
  readonly table: string
  readonly references: ReadonlyArray<Reference>
}

const to = (column: string, table: string, key = "id"): Reference => ({ column, table, key })
const account = (column: string): Reference => to(column, "ledger_accounts")
const event = (column = "event_seq"): Reference => to(column, "events", "seq")

/** Where triggers of statements kept what rows name. */
const BY_STATEMENT: ReadonlyArray<Referring> = [
  { table: "events", references: [to("stream", "event_streams")] },
  { table: "ledger_transfers", references: [account("debit_account"), account("credit_account"), event()] },
  { table: "ledger_holds", references: [account("account"), event("placed_by"), event("resolved_by")] },
  { table: "ledger_baskets", references: [event("placed_by"), event("resolved_by")] },
  { table: "transfers", references: [event()] },
  { table: "arena_commitments", references: [to("order_id", "arena_orders")] }
]

/** Where foreign keys did. */
const BY_ROW: ReadonlyArray<Referring> = [
  { table: "bot_decisions", references: [event(), to("bot_id", "bots"), to("order_id", "arena_orders")] },
  { table: "bot_guards", references: [event()] },
  { table: "bots", references: [event()] },
  { table: "claims", references: [event()] },
  { table: "commitment_halts", references: [event()] },
  { table: "credit_assessments", references: [event()] },
  { table: "credit_limits", references: [event(), to("assessed_by", "credit_assessments", "event_seq")] },
  { table: "evaluation_credit_budgets", references: [event(), account("account")] },
  { table: "evaluation_credit_movements", references: [event()] },
  { table: "funds", references: [account("account")] },
  { table: "ledger_receivables", references: [event()] },
  { table: "machine_trader_spans", references: [event(), to("trader_id", "machine_traders")] },
  { table: "payment_refunds", references: [to("payment_id", "payments")] },
  { table: "purchase_order_payments", references: [to("order_id", "purchase_orders")] },
  { table: "subscription_history", references: [event(), to("subscription_id", "subscriptions")] },
  { table: "subscriptions", references: [event()] },
  { table: "transfers", references: [to("quote_id", "fx_quotes")] },
  { table: "webhooks", references: [event("created_seq"), event()] },
  { table: "withdrawals", references: [event(), to("fund_id", "funds")] }
]

/** What rows that follow from events name, and the database keeps no more. */
export const PROJECTED_REFERENCES: ReadonlyArray<Referring> = [...BY_STATEMENT, ...BY_ROW]

const foreignKeys = ({ references, table }: Referring, change: (reference: Reference, name: string) => string) =>
  `ALTER TABLE ${table} ${references.map((reference) => change(reference, `${table}_${reference.column}_fkey`)).join(", ")}`

/** Nobody but the journal decides what such a row names: it was looked for there, and `emporion verify` looks again. */
export const projectedReferences: Migration = {
  id: 46,
  name: "projected_references",
  up: [
    ...BY_STATEMENT.flatMap(({ references, table }) => dropReferences(table, references)),
    ...BY_ROW.map((referring) => foreignKeys(referring, (_, name) => `DROP CONSTRAINT ${name}`))
  ],
  down: [
    ...BY_ROW.map((referring) =>
      foreignKeys(
        referring,
        ({ column, key, table }, name) => `ADD CONSTRAINT ${name} FOREIGN KEY (${column}) REFERENCES ${table} (${key})`
      )
    ),
    ...BY_STATEMENT.flatMap(({ references, table }) => keepReferences(table, references))
  ]
}
