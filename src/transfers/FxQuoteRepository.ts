import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fromUnits as amountOf } from "../../engine/money/Amount.ts"
import { fromUnits as rateOf } from "../../engine/money/Rate.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { FxQuote } from "./FxQuote.ts"

interface QuoteRow {
  readonly id: string
  readonly owner: string
  readonly base: string
  readonly quote: string
  readonly side: FxQuote["side"]
  readonly quantity: string
  readonly rate: string
  readonly value: string
  readonly quoted_at: bigint
  readonly expires_at: bigint
  readonly used: boolean
}

const toQuote = (row: QuoteRow): FxQuote => ({
  quoteId: row.id,
  owner: row.owner,
  pair: { base: row.base, quote: row.quote },
  side: row.side,
  quantity: amountOf(BigInt(row.quantity)),
  rate: rateOf(BigInt(row.rate)),
  value: amountOf(BigInt(row.value)),
  at: Number(row.quoted_at),
  expiresAt: Number(row.expires_at),
  used: row.used
})

/** Held rates in the database. */
export class FxQuoteRepository extends Context.Service<
  FxQuoteRepository,
  {
    readonly find: (id: string) => Effect.Effect<FxQuote | undefined, Unavailable>
  }
>()("emporion/transfers/FxQuoteRepository") {
  static readonly layer: Layer.Layer<FxQuoteRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      FxQuoteRepository.of({
        find: (id) =>
          sql<QuoteRow>`
            SELECT id, owner, base, quote, side, quantity::text AS quantity, rate::text AS rate, value::text AS value,
              quoted_at, expires_at, used_by IS NOT NULL AS used
            FROM fx_quotes WHERE id = ${id}`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toQuote)[0])
          )
      })
    )
  )
}
