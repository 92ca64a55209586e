import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The tables that a commit without any context has a part in, those that name others first. */
const LEDGER_TABLES = [
  "ledger_transfers",
  "ledger_receivables",
  "ledger_holds",
  "ledger_baskets",
  "claims",
  "idempotency_keys",
  "events",
  "event_streams",
  "ledger_accounts"
] as const

/** All rows of these tables as text. */
export const ledgerRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* Effect.forEach(LEDGER_TABLES, (table) =>
    sql.unsafe<{ readonly row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`)
  )
  return Object.fromEntries(
    LEDGER_TABLES.map((table, at) => [table, (rows[at] ?? []).map(({ row }) => row).toSorted()])
  )
})

/** Takes all rows out of these tables. */
export const clearLedger = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of LEDGER_TABLES) yield* sql.unsafe(`DELETE FROM ${table}`)
})
