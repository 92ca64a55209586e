import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import type { Page } from "../../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../../database/DatabaseError.ts"
import * as Keyset from "../../database/Keyset.ts"

/** What an asset was worth in an interval. */
export interface Candle {
  /** When it begins, in milliseconds since 1970. */
  readonly at: number
  readonly open: Amount
  readonly high: Amount
  readonly low: Amount
  readonly close: Amount
  readonly prices: number
}

/** Which candles: of which asset, of how many milliseconds, of the prices from a time on and before another. */
export interface CandleQuery extends Page {
  readonly asset: string
  readonly interval: number
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Some candles, oldest first. */
export interface CandlePage {
  readonly candles: ReadonlyArray<Candle>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface Row {
  readonly at: bigint
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly prices: bigint
}

const toCandle = (row: Row): Candle => ({
  at: Number(row.at),
  open: fromUnits(row.open),
  high: fromUnits(row.high),
  low: fromUnits(row.low),
  close: fromUnits(row.close),
  prices: Number(row.prices)
})

/** Makes candles of the recorded prices that were safe. */
export class CandleRepository extends Context.Service<
  CandleRepository,
  {
    readonly list: (query: CandleQuery) => Effect.Effect<CandlePage, Unavailable | Keyset.UnknownCursor>
  }
>()("emporion/arena/history/CandleRepository") {
  static readonly layer: Layer.Layer<CandleRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      CandleRepository.of({
        list: Effect.fn("CandleRepository.list")(function* ({ asset, from, interval, to, ...page }: CandleQuery) {
          const length = sql`${BigInt(interval)}::bigint`
          const since = from === undefined ? sql`true` : sql`at >= ${BigInt(from)}`
          const before = to === undefined ? sql`true` : sql`at < ${BigInt(to)}`
          const made = sql`(
            SELECT at / ${length} * ${length} AS at, min(price) AS low, max(price) AS high, count(*) AS prices,
              (array_agg(price ORDER BY at))[1] AS open, (array_agg(price ORDER BY at DESC))[1] AS close
            FROM arena_medians WHERE asset = ${asset} AND safe AND ${since} AND ${before} GROUP BY 1) AS candle`
          const list: Keyset.Listed<Row> = {
            select: sql`SELECT * FROM ${made}`,
            from: made,
            scope: sql`true`,
            order: [{ column: "candle.at" }],
            id: "candle.at",
            isNumber: true,
            idOf: ({ at }) => String(at),
            placeOf: ({ at }) => [at]
          }
          const { next, rows, total } = yield* Keyset.page(sql, list, page)
          return { candles: rows.map(toCandle), total, next }
        }, unavailableOrDie)
      })
    )
  )
}
