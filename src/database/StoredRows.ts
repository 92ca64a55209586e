import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isRequestName } from "../../engine/cluster/RequestName.ts"
import type { StoredRows } from "../../engine/journal/GroupLoading.ts"
import { answeredNames } from "../../engine/journal/ExecutedRequests.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import type { HoldRecord } from "../../engine/ledger/Book.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { texts } from "./ArrayParameter.ts"
import { journalAfter } from "./JournalStatements.ts"
import { pendingMultiHolds } from "./MultiHoldStatements.ts"

interface AccountRow {
  readonly id: AccountId
  readonly balance: string
  readonly held: string
  readonly closed: boolean
}

interface HoldRow {
  readonly id: string
  readonly account: AccountId
  readonly into_account: AccountId
  readonly amount: string
}

interface StreamRow {
  readonly id: string
  readonly version: number
  readonly hash: Uint8Array
}

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  balance: fromUnits(BigInt(row.balance)),
  held: fromUnits(BigInt(row.held)),
  closed: row.closed
})

const toPendingHold = (row: HoldRow): HoldRecord => ({
  id: row.id,
  account: row.account,
  into: row.into_account,
  amount: fromUnits(BigInt(row.amount)),
  state: { _tag: "Pending" }
})

type Stored = StoredRows<SqlError>

/** The rows in PostgreSQL. */
export const storedRows = (sql: SqlClient): Stored => {
  const heads: Stored["heads"] = (streams) =>
    streams.length === 0
      ? Effect.succeed([])
      : sql<StreamRow>`SELECT id, version, hash FROM event_streams WHERE id = ANY(${texts(streams)}::text[])`

  const pendingHolds: Stored["pendingHolds"] = (ids) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<HoldRow>`
          SELECT id, account, into_account, amount::text AS amount FROM ledger_holds
          WHERE id = ANY(${texts(ids)}::text[]) AND status = 'pending'`.pipe(
          Effect.map((rows) => rows.map(toPendingHold))
        )

  const accounts: Stored["accounts"] = (ids) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<AccountRow>`
          SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts
          WHERE id = ANY(${texts(ids)}::text[])`.pipe(Effect.map((rows) => rows.map(toAccount)))

  const claimed: Stored["claimed"] = (names) =>
    names.length === 0
      ? Effect.succeed(new Set())
      : sql<{ readonly name: string }>`SELECT name FROM claims WHERE name = ANY(${texts(names)}::text[])`.pipe(
          Effect.map((rows) => new Set(rows.map(({ name }) => name)))
        )

  const answeredKeys: Stored["answered"] = (keys, since) =>
    keys.length === 0
      ? Effect.succeed(new Set())
      : sql<{ readonly key: string }>`
          SELECT key FROM idempotency_keys WHERE key = ANY(${texts(keys)}::text[]) AND created_at > ${BigInt(since)}`.pipe(
          Effect.map((rows) => new Set(rows.map(({ key }) => key)))
        )

  const answered: Stored["answered"] = (keys, since) => {
    const names = keys.filter(isRequestName)
    if (names.length === 0) return answeredKeys(keys, since)
    return Effect.zipWith(
      answeredKeys(
        keys.filter((key) => !isRequestName(key)),
        since
      ),
      answeredNames(journalAfter(sql), names),
      (found, named) => found.union(new Set(named))
    )
  }

  return { accounts, answered, claimed, heads, pendingMultiHolds: pendingMultiHolds(sql), pendingHolds }
}
