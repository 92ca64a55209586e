import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { TraderType } from "../../engine/arena/Commitment.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { orderPrice } from "../../engine/arena/OrderTemplate.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { LEAD_PART, MAX_PRICES } from "../api/ArenaBoard.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { commitmentsOfOrder } from "./CommitmentRepository.ts"

/** Settled orders that a leaderboard counts at most. */
export const MAX_RANKED_ORDERS = 2_000

/** What an order's unit was worth over time. */
export interface OrderPrices {
  readonly asset: string
  /** Ascending. */
  readonly prices: ReadonlyArray<Omit<Median, "asset">>
}

/** What one trader did on the orders that were counted. */
export interface Leader {
  readonly owner: string
  readonly address: string
  readonly type: TraderType
  readonly decided: number
  readonly won: number
  readonly profit: Amount
  readonly yieldEarned: Amount
}

export interface Leaders {
  readonly orders: number
  /** Best first. */
  readonly leaders: ReadonlyArray<Leader>
}

/** Which orders count: opened since, of one asset type or all. */
export interface LeaderQuery {
  readonly since: number
  readonly assetType: AssetType | undefined
  readonly limit: number
}

interface OrderRow {
  readonly asset: string
  readonly asset_type: AssetType
  readonly details: string
  readonly opened_at: bigint
  readonly settlement_at: bigint
}

interface PriceRow {
  readonly at: bigint
  readonly price: bigint
  readonly safe: boolean
}

interface LeaderRow {
  readonly owner: string
  readonly trader_address: string
  readonly trader_type: TraderType
  readonly decided: bigint
  readonly won: bigint
  readonly profit: string
  readonly yield_earned: string
}

const toLeader = (row: LeaderRow): Leader => ({
  owner: row.owner,
  address: row.trader_address,
  type: row.trader_type,
  decided: Number(row.decided),
  won: Number(row.won),
  profit: fromUnits(BigInt(row.profit)),
  yieldEarned: fromUnits(BigInt(row.yield_earned))
})

const pricesOf = (order: OrderRow, rows: ReadonlyArray<PriceRow>): OrderPrices => {
  const details: Readonly<Record<string, string | number>> = JSON.parse(order.details)
  return {
    asset: order.asset,
    prices: rows.map(({ at, price, safe }) => ({
      at: Number(at),
      safe,
      price: orderPrice({ assetType: order.asset_type, details }, { at: Number(at), price: fromUnits(price) })
    }))
  }
}

/** Reads what everybody may see of orders' prices and of results. */
export class ArenaBoardRepository extends Context.Service<
  ArenaBoardRepository,
  {
    /** Undefined where there is no such order. */
    readonly prices: (orderId: string) => Effect.Effect<OrderPrices | undefined, Unavailable>
    readonly leaders: (query: LeaderQuery) => Effect.Effect<Leaders, Unavailable>
  }
>()("emporion/arena/ArenaBoardRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const prices = Effect.fn("ArenaBoardRepository.prices")(function* (orderId: string) {
        const [order] = yield* sql<OrderRow>`
          SELECT asset, asset_type, details, opened_at, settlement_at FROM arena_orders WHERE id = ${orderId}`
        if (order === undefined) return undefined
        const life = order.settlement_at - order.opened_at
        const from = order.opened_at - life / BigInt(LEAD_PART)
        const step = (order.settlement_at - from) / BigInt(MAX_PRICES - 1) + 1n
        const rows = yield* sql<PriceRow>`
          SELECT DISTINCT ON (place) at, price, safe FROM (
            SELECT at, price, safe, (at - ${from}::bigint) / ${step}::bigint AS place FROM arena_medians
            WHERE asset = ${order.asset} AND at BETWEEN ${from} AND ${order.settlement_at}) AS placed
          ORDER BY place, at DESC`
        return pricesOf(order, rows)
      }, unavailableOrDie)

      const leaders = Effect.fn("ArenaBoardRepository.leaders")(function* (query: LeaderQuery) {
        const ofType = query.assetType === undefined ? sql`` : sql`AND asset_type = ${query.assetType}`
        const counted = sql`
          SELECT id FROM arena_orders WHERE status = 'settled' AND opened_at >= ${BigInt(query.since)} ${ofType}
          ORDER BY opened_at DESC, id LIMIT ${BigInt(MAX_RANKED_ORDERS)}`
        const [count] = yield* sql<{ readonly orders: bigint }>`SELECT count(*) AS orders FROM (${counted}) AS counted`
        const rows = yield* sql<LeaderRow>`
          SELECT bid.owner, bid.trader_address, bid.trader_type, count(*) AS decided,
            count(*) FILTER (WHERE bid.status = 'settled') AS won, sum(bid.profit)::text AS profit,
            sum(bid.yield_earned)::text AS yield_earned
          FROM (${counted}) AS counted CROSS JOIN LATERAL ${commitmentsOfOrder(sql, sql`counted.id`)} AS bid
          WHERE bid.status = 'settled' OR (bid.status = 'lost' AND bid.reason <> 'void')
          GROUP BY bid.owner, bid.trader_address, bid.trader_type
          ORDER BY sum(bid.profit) DESC, count(*) FILTER (WHERE bid.status = 'settled') DESC, bid.owner,
            bid.trader_address, bid.trader_type
          LIMIT ${BigInt(query.limit)}`
        return { orders: Number(count?.orders ?? 0n), leaders: rows.map(toLeader) }
      }, unavailableOrDie)

      return ArenaBoardRepository.of({ prices, leaders })
    })
  )
}
