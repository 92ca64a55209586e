import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { StatementEntry } from "./Statement.ts"

interface EntryRow {
  readonly id: string
  readonly change: string
  readonly balance: string
  readonly other: AccountId
  readonly purpose: string
  readonly at: string
}

export interface StatementPage {
  readonly entries: ReadonlyArray<StatementEntry>
  readonly total: number
}

const toEntry = (row: EntryRow): StatementEntry => ({
  at: Number(row.at),
  change: fromUnits(BigInt(row.change)),
  balance: fromUnits(BigInt(row.balance)),
  purpose: row.purpose,
  postingId: row.id,
  other: row.other
})

/** The postings of an account. */
export class StatementRepository extends Context.Service<
  StatementRepository,
  {
    /** Newest first, each with what the account had after it: what it has now, less all that came later. */
    readonly entries: (account: AccountId, page: Page) => Effect.Effect<StatementPage, Unavailable>
  }
>()("emporion/funds/StatementRepository") {
  static readonly layer: Layer.Layer<StatementRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      StatementRepository.of({
        entries: Effect.fnUntraced(function* (account, { limit, offset }) {
          const newest = BigInt(limit + offset)
          const rows = yield* sql<EntryRow>`
            WITH posting AS (
              (SELECT id, event_seq, -amount AS change, credit_account AS other, purpose FROM ledger_transfers
               WHERE debit_account = ${account} ORDER BY event_seq DESC, id DESC LIMIT ${newest})
              UNION ALL
              (SELECT id, event_seq, amount, debit_account, purpose FROM ledger_transfers
               WHERE credit_account = ${account} ORDER BY event_seq DESC, id DESC LIMIT ${newest})
            ), entry AS (
              SELECT posting.*, account.balance - coalesce(sum(change) OVER (
                  ORDER BY event_seq DESC, posting.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS balance
              FROM posting JOIN ledger_accounts AS account ON account.id = ${account}
              ORDER BY event_seq DESC, posting.id DESC LIMIT ${BigInt(limit)} OFFSET ${BigInt(offset)}
            )
            SELECT entry.id, change::text AS change, balance::text AS balance, other, purpose,
              events.data::json ->> 'at' AS at
            FROM entry JOIN events ON events.seq = event_seq ORDER BY event_seq DESC, entry.id DESC`
          const counted = yield* sql<{ readonly total: bigint }>`
            SELECT (SELECT count(*) FROM ledger_transfers WHERE debit_account = ${account}) +
              (SELECT count(*) FROM ledger_transfers WHERE credit_account = ${account}) AS total`
          return { entries: rows.map(toEntry), total: Number(counted[0]?.total ?? 0n) }
        }, unavailableOrDie)
      })
    )
  )
}
