import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import type { AssetType } from "../../engine/arena/AssetType.ts"
import type { DueOrder } from "../../engine/arena/DueOrders.ts"
import { instrumentOf } from "../../engine/arena/Instrument.ts"
import { type OrderStatus, orderStream } from "../../engine/arena/Order.ts"
import type { OrderTerms } from "../../engine/arena/OrderTerms.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** An order as it is listed. Times are milliseconds since 1970. */
export interface OrderView {
  readonly orderId: string
  readonly assetType: AssetType
  /** JSON. */
  readonly details: string
  readonly quantity: Amount
  readonly entryPrice: Amount
  readonly openedAt: number
  readonly expiryAt: number
  readonly settlementAt: number
  readonly status: OrderStatus
  readonly makerAddress: string
  readonly tieKeyHash: string
  readonly tieKey: string | null
  /** Null where bids do not float with the reference. */
  readonly makerDiscount: Amount | null
  readonly referencePrice: Amount | null
  readonly clearingPrice: Amount | null
  readonly settlementPrice: Amount | null
  readonly winnerCommitmentId: string | null
  readonly voidReason: string | null
  /** JSON of the 3/4 rule's outcome, after the choice. */
  readonly fairness: string | null
}

export interface OrderFilter extends Page {
  readonly assetType: AssetType | undefined
  readonly status: OrderStatus | undefined
}

export interface OrderPage {
  readonly orders: ReadonlyArray<OrderView>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface Row {
  readonly id: string
  readonly asset_type: AssetType
  readonly details: string
  readonly quantity: bigint
  readonly entry_price: bigint
  readonly opened_at: bigint
  readonly expiry_at: bigint
  readonly settlement_at: bigint
  readonly status: OrderStatus
  readonly maker_address: string
  readonly tie_key_hash: string
  readonly tie_key: string | null
  readonly maker_discount: number | null
  readonly reference_price: bigint | null
  readonly clearing_price: bigint | null
  readonly settlement_price: bigint | null
  readonly winner_commitment_id: string | null
  readonly void_reason: string | null
  readonly fairness: string | null
}

const amountOrNull = (units: bigint | null): Amount | null => (units === null ? null : fromUnits(units))

const toOrder = (row: Row): OrderView => ({
  orderId: row.id,
  assetType: row.asset_type,
  details: row.details,
  quantity: fromUnits(row.quantity),
  entryPrice: fromUnits(row.entry_price),
  openedAt: Number(row.opened_at),
  expiryAt: Number(row.expiry_at),
  settlementAt: Number(row.settlement_at),
  status: row.status,
  makerAddress: row.maker_address,
  tieKeyHash: row.tie_key_hash,
  tieKey: row.tie_key,
  makerDiscount: row.maker_discount === null ? null : fromUnits(BigInt(row.maker_discount)),
  referencePrice: amountOrNull(row.reference_price),
  clearingPrice: amountOrNull(row.clearing_price),
  settlementPrice: amountOrNull(row.settlement_price),
  winnerCommitmentId: row.winner_commitment_id,
  voidReason: row.void_reason,
  fairness: row.fairness
})

/** Reads orders. They are written by their events alone. */
export class OrderRepository extends Context.Service<
  OrderRepository,
  {
    readonly list: (filter: OrderFilter) => Effect.Effect<OrderPage, Unavailable | Keyset.UnknownCursor>
    readonly find: (orderId: string) => Effect.Effect<OrderView | undefined, Unavailable>
    /** Those of the orders that exist, in any order. */
    readonly findAll: (orderIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<OrderView>, Unavailable>
    /** Those that are not settled. */
    readonly live: Effect.Effect<ReadonlyArray<DueOrder>, Unavailable>
    /** The terms of the orders that are open or competing, those that end first before the others. */
    readonly offered: Effect.Effect<ReadonlyArray<OrderTerms>, Unavailable>
    readonly existing: (orderIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, Unavailable>
    /** How many orders of each asset type are open or competing. */
    readonly openCounts: Effect.Effect<ReadonlyMap<AssetType, number>, Unavailable>
    /** Everything that happened to an order, in order. */
    readonly events: (orderId: string) => Effect.Effect<ReadonlyArray<ArenaEvent>, Unavailable>
  }
>()("emporion/arena/OrderRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const matching = ({ assetType, status }: OrderFilter) =>
        sql.and([
          ...(assetType === undefined ? [] : [sql`asset_type = ${assetType}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          sql`true`
        ])

      const list = Effect.fn("OrderRepository.list")(function* (filter: OrderFilter) {
        const listed: Keyset.Listed<Row> = {
          select: sql`SELECT * FROM arena_orders`,
          from: sql`arena_orders`,
          scope: sql`true`,
          wanted: matching(filter),
          order: [{ column: "opened_at", descending: true }, { column: "id" }],
          id: "id",
          idOf: ({ id }) => id
        }
        const { next, rows, total } = yield* Keyset.page(sql, listed, filter)
        return { orders: rows.map(toOrder), total, next }
      }, unavailableOrDie)

      return OrderRepository.of({
        list,
        find: (orderId) =>
          sql<Row>`SELECT * FROM arena_orders WHERE id = ${orderId}`.pipe(
            unavailableOrDie,
            Effect.map(([row]) => (row === undefined ? undefined : toOrder(row)))
          ),
        findAll: (orderIds) =>
          sql<Row>`SELECT * FROM arena_orders WHERE id = ANY(${orderIds}::text[])`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(toOrder))
          ),
        live: live(sql),
        offered: offered(sql),
        existing: (orderIds) =>
          sql<{ id: string }>`SELECT id FROM arena_orders WHERE id = ANY(${orderIds}::text[])`.pipe(
            unavailableOrDie,
            Effect.map((rows) => new Set(rows.map(({ id }) => id)))
          ),
        openCounts: sql<{ asset_type: AssetType; count: bigint }>`
          SELECT asset_type, count(*)::bigint AS count FROM arena_orders
          WHERE status IN ('open', 'competing') AND status <> 'settled' GROUP BY asset_type`.pipe(
          unavailableOrDie,
          Effect.map((rows) => new Map(rows.map((row) => [row.asset_type, Number(row.count)])))
        ),
        events: (orderId) =>
          sql<{ data: string }>`
            SELECT data FROM events WHERE stream = ${orderStream(orderId)} ORDER BY version`.pipe(
            unavailableOrDie,
            Effect.map((rows) => rows.map(({ data }) => decodeArenaEvent(data)))
          )
      })
    })
  )
}

/** One statement, because a start waits for it. */
const offered = (sql: SqlClient): OrderRepository["Service"]["offered"] =>
  sql<{ data: string }>`
    SELECT e.data FROM arena_orders o JOIN events e ON e.stream = ${orderStream("")} || o.id AND e.version = 1
    WHERE o.status IN ('open', 'competing') AND o.status <> 'settled' ORDER BY o.expiry_at, o.id`.pipe(
    unavailableOrDie,
    Effect.map((rows) =>
      rows.flatMap(({ data }) => {
        const event = decodeArenaEvent(data)
        return event._tag === "OrderOpened" ? [event.terms] : []
      })
    )
  )

/** They stay in memory: one asset's name is the same text for all, since the driver makes each anew out of its letters. */
const live = (sql: SqlClient): OrderRepository["Service"]["live"] =>
  sql<{ id: string; asset: string; expiry_at: bigint; settlement_at: bigint }>`
    SELECT id, asset, expiry_at, settlement_at FROM arena_orders
    WHERE status <> 'settled' ORDER BY expiry_at, id`.pipe(
    unavailableOrDie,
    Effect.map((rows) =>
      rows.map(({ asset, expiry_at: expiryAt, id, settlement_at: settlementAt }) => ({
        orderId: id,
        asset: instrumentOf(asset)?.asset ?? asset,
        expiryAt: Number(expiryAt),
        settlementAt: Number(settlementAt)
      }))
    )
  )
