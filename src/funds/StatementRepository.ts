import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { UnknownCursor } from "../database/Keyset.ts"
import type { StatementEntry } from "./Statement.ts"

interface EntryRow {
  readonly id: string
  readonly entry_id: string
  readonly change: string
  readonly balance: string
  readonly other: AccountId
  readonly purpose: string
  readonly at: string
}

export interface StatementPage {
  readonly entries: ReadonlyArray<StatementEntry>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

const toEntry = (row: EntryRow): StatementEntry => ({
  entryId: row.entry_id,
  at: Number(row.at),
  change: fromUnits(BigInt(row.change)),
  balance: fromUnits(BigInt(row.balance)),
  purpose: row.purpose,
  postingId: row.id,
  other: row.other
})

/** What an owner names an entry by: the posting's own id may name somebody whom the owner does not know. */
const entryId = (sql: SqlClient) => sql.literal("event_seq || '_' || left(md5(entry.id), 12)")

const ENTRY_ID = /^(\d{1,18})_([0-9a-f]{12})$/

interface Place {
  readonly event_seq: bigint
  readonly id: string
}

const placeOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  account: AccountId,
  after: string
): Effect.fn.Return<Place, SqlError | UnknownCursor> {
  const [, seq, hash] = ENTRY_ID.exec(after) ?? []
  const found =
    seq === undefined || hash === undefined
      ? []
      : yield* sql<Place>`
          SELECT event_seq, id FROM ledger_transfers
          WHERE event_seq = ${BigInt(seq)} AND left(md5(id), 12) = ${hash} AND debit_account = ${account}
          UNION ALL
          SELECT event_seq, id FROM ledger_transfers
          WHERE event_seq = ${BigInt(seq)} AND left(md5(id), 12) = ${hash} AND credit_account = ${account}`
  const [place] = found
  return place === undefined ? yield* new UnknownCursor({ after }) : place
})

/** The postings of an account. */
export class StatementRepository extends Context.Service<
  StatementRepository,
  {
    /** Newest first, each with what the account had after it: what it has now, less all that came later. */
    readonly entries: (account: AccountId, page: Page) => Effect.Effect<StatementPage, Unavailable | UnknownCursor>
  }
>()("emporion/funds/StatementRepository") {
  static readonly layer: Layer.Layer<StatementRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      StatementRepository.of({
        entries: Effect.fnUntraced(function* (account, { after, limit, offset }) {
          const place = after === undefined ? undefined : yield* placeOf(sql, account, after)
          const older = place === undefined ? sql`true` : sql`(event_seq, id) < (${place.event_seq}, ${place.id})`
          const newer = place === undefined ? sql`false` : sql`(event_seq, id) >= (${place.event_seq}, ${place.id})`
          const most = BigInt(limit + offset + 1)
          const found = yield* sql<EntryRow>`
            WITH since AS (
              SELECT coalesce(sum(change), 0) AS change FROM (
                SELECT -amount AS change FROM ledger_transfers WHERE debit_account = ${account} AND ${newer}
                UNION ALL SELECT amount FROM ledger_transfers WHERE credit_account = ${account} AND ${newer}) AS posted
            ), posting AS (
              (SELECT id, event_seq, -amount AS change, credit_account AS other, purpose FROM ledger_transfers
               WHERE debit_account = ${account} AND ${older} ORDER BY event_seq DESC, id DESC LIMIT ${most})
              UNION ALL
              (SELECT id, event_seq, amount, debit_account, purpose FROM ledger_transfers
               WHERE credit_account = ${account} AND ${older} ORDER BY event_seq DESC, id DESC LIMIT ${most})
            ), entry AS (
              SELECT posting.*, account.balance - since.change - coalesce(sum(posting.change) OVER (
                  ORDER BY event_seq DESC, posting.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS balance
              FROM since, posting JOIN ledger_accounts AS account ON account.id = ${account}
              ORDER BY event_seq DESC, posting.id DESC LIMIT ${BigInt(limit + 1)} OFFSET ${BigInt(offset)}
            )
            SELECT entry.id, ${entryId(sql)} AS entry_id, change::text AS change, balance::text AS balance, other, purpose,
              events.data::json ->> 'at' AS at
            FROM entry JOIN events ON events.seq = event_seq ORDER BY event_seq DESC, entry.id DESC`
          const counted = yield* sql<{ readonly total: bigint }>`
            SELECT (SELECT count(*) FROM ledger_transfers WHERE debit_account = ${account}) +
              (SELECT count(*) FROM ledger_transfers WHERE credit_account = ${account}) AS total`
          const rows = found.slice(0, limit)
          const next = found.length > limit ? rows.at(-1)?.entry_id : undefined
          return { entries: rows.map(toEntry), total: Number(counted[0]?.total ?? 0n), next }
        }, unavailableOrDie)
      })
    )
  )
}
