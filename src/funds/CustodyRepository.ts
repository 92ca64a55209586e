import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { custodyOf } from "../../engine/ledger/Funding.ts"
import { type CustodyEntry, custodyReference } from "../../engine/ledger/Reconciliation.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"

/** Entries read at once. */
const PAGE = 1_000

/** Where a reader of custody's postings is. */
export interface CustodyPlace {
  readonly seq: bigint
  readonly id: string
}

/** Before the first posting. */
export const FIRST: CustodyPlace = { seq: 0n, id: "" }

export interface CustodyPage {
  readonly entries: ReadonlyArray<CustodyEntry>
  /** After the last of them; undefined at the end. */
  readonly next: CustodyPlace | undefined
}

interface Row {
  readonly id: string
  readonly seq: bigint
  readonly amount: string
  readonly purpose: string
  readonly at: bigint
}

const toEntry = ({ amount, at, id, purpose }: Row): CustodyEntry => ({
  id,
  at: Number(at),
  reference: custodyReference(id),
  purpose,
  amount: fromUnits(BigInt(amount))
})

/** What the ledger has posted between custody and the accounts inside, for reading alone. */
export class CustodyRepository extends Context.Service<
  CustodyRepository,
  {
    /** Runs everything inside on one moment of the ledger. */
    readonly atOneMoment: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
    /** The postings of an asset after a place, in the order in which they were recorded. */
    readonly after: (asset: string, place: CustodyPlace) => Effect.Effect<CustodyPage, SqlError>
    /** What custody holds of an asset for everybody inside. */
    readonly holding: (asset: string) => Effect.Effect<Amount, SqlError>
  }
>()("emporion/funds/CustodyRepository") {
  static readonly layer: Layer.Layer<CustodyRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      CustodyRepository.of({
        atOneMoment: (effect) =>
          sql.withTransaction(
            Effect.andThen(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.unprepared, effect)
          ),
        after: (asset, { id, seq }) => {
          const custody = custodyOf(asset)
          const side = (column: "debit_account" | "credit_account", amount: string) => sql`
            (SELECT t.id, t.event_seq AS seq, ${sql.literal(amount)} AS amount, t.purpose,
              (e.data::jsonb ->> 'at')::bigint AS at
            FROM ledger_transfers t JOIN events e ON e.seq = t.event_seq
            WHERE ${sql(`t.${column}`)} = ${custody} AND (t.event_seq, t.id) > (${seq}, ${id})
            ORDER BY t.event_seq, t.id LIMIT ${PAGE})`
          return sql<Row>`
            SELECT id, seq, amount::text AS amount, purpose, at FROM (
              ${side("debit_account", "t.amount")} UNION ALL ${side("credit_account", "-t.amount")}) AS both_sides
            ORDER BY seq, id LIMIT ${PAGE}`.pipe(
            Effect.map((rows) => {
              const last = rows.length < PAGE ? undefined : rows.at(-1)
              return {
                entries: rows.map(toEntry),
                next: last === undefined ? undefined : { seq: last.seq, id: last.id }
              }
            })
          )
        },
        holding: (asset) =>
          sql<{ readonly held: string }>`
            SELECT (-balance)::text AS held FROM ledger_accounts WHERE id = ${custodyOf(asset)}`.pipe(
            Effect.map(([row]) => fromUnits(BigInt(row?.held ?? "0")))
          )
      })
    )
  )
}
