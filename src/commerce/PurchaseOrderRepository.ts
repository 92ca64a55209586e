import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { OrderSummary } from "../../engine/commerce/OrderObject.ts"
import { type PurchaseOrderStatus, purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { decodePurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { type OrderRow, summaryOfRow } from "../../engine/commerce/PurchaseRows.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import { type FilterTooWide, keepersOf } from "../database/MetadataColumn.ts"
import * as Keyset from "../database/Keyset.ts"

/** Which orders of a company; undefined: any. */
export interface OrderFilter {
  readonly companyId: string
  readonly role: "buyer" | "seller" | undefined
  readonly status: PurchaseOrderStatus | undefined
}

/** Where an order stands among those of which something is due. */
export interface DuePlace {
  readonly orderId: string
  /** Since when, in milliseconds since 1970. */
  readonly dueAt: number
}

/** An order of which something is due. */
export interface DueOrder extends DuePlace {
  /** The company whose user's limit it uses. */
  readonly limitCompanyId: string
  /** That company, and the one that buys. */
  readonly concerned: ReadonlyArray<string>
}

interface DueOrderRow {
  readonly id: string
  readonly next_due: bigint
  readonly buyer_company_id: string
  readonly limit_company_id: string
}

/** An order's status to a company: a seller's part is fulfilled when it has delivered, whatever the others have. */
const statusFor = (sql: SqlClient, companyId: string) => sql`
  CASE WHEN o.buyer_company_id = ${companyId} OR o.status = 'cancelled' THEN o.status
    WHEN o.fulfilled_at[array_position(o.seller_ids, ${companyId})] IS NOT NULL THEN 'fulfilled'
    WHEN o.payment_status = 'paid' THEN 'paid' ELSE 'pending' END`

/** The list of a company's orders, newest first. */
export const listed = (sql: SqlClient, { companyId, role, status }: OrderFilter): Keyset.Listed<OrderRow> => {
  const bought = sql`o.buyer_company_id = ${companyId}`
  const sold = sql`o.seller_ids @> ${texts([companyId])}::text[]`
  return {
    select: sql`SELECT o.* FROM purchase_orders AS o`,
    from: sql`purchase_orders AS o`,
    scope: role === "buyer" ? bought : role === "seller" ? sold : sql.or([bought, sold]),
    wanted: status === undefined ? undefined : sql`${statusFor(sql, companyId)} = ${status}`,
    order: [
      { column: "o.placed_at", descending: true },
      { column: "o.id", descending: true }
    ],
    id: "o.id",
    idOf: ({ id }) => id,
    hasMetadataIndex: true
  }
}

/** Orders of which something is due at a time, the longest due first, from behind one of them on. */
export const dueOrders = (sql: SqlClient, now: number, limit: number, after: DuePlace | undefined) => sql<DueOrderRow>`
  SELECT id, next_due, buyer_company_id,
    coalesce((SELECT company_id FROM users WHERE users.id = buyer_user_id), buyer_company_id) AS limit_company_id
  FROM purchase_orders
  WHERE next_due <= ${BigInt(now)} AND (next_due, id) > (${BigInt(after?.dueAt ?? 0)}, ${after?.orderId ?? ""})
  ORDER BY next_due, id LIMIT ${limit}`

const reads = (sql: SqlClient) => ({
  available: (account: AccountId) =>
    sql<{ readonly available: string }>`
      SELECT (balance - held)::text AS available FROM ledger_accounts WHERE id = ${account}`.pipe(
      Effect.map(([row]) => fromUnits(BigInt(row?.available ?? 0))),
      unavailableOrDie
    ),
  events: (orderId: string) =>
    sql<{ readonly data: string }>`
      SELECT data FROM events WHERE stream = ${purchaseOrderStream(orderId)} ORDER BY version`.pipe(
      Effect.map((rows) => rows.map(({ data }) => decodePurchaseOrderEvent(data))),
      unavailableOrDie
    ),
  histories: (orderIds: ReadonlyArray<string>) =>
    sql<{ readonly stream: string; readonly data: string }>`
      SELECT stream, data FROM events WHERE stream = ANY(${texts(orderIds.map(purchaseOrderStream))}::text[])
      ORDER BY stream, version`.pipe(
      Effect.map((rows) => {
        const streams = Map.groupBy(rows, ({ stream }) => stream)
        return new Map(
          orderIds.map((orderId) => [
            orderId,
            (streams.get(purchaseOrderStream(orderId)) ?? []).map(({ data }) => decodePurchaseOrderEvent(data))
          ])
        )
      }),
      unavailableOrDie
    ),
  keepers: ({ companyId, role }: Pick<OrderFilter, "companyId" | "role">) =>
    role === "buyer"
      ? Effect.succeed([companyId])
      : Effect.map(keepersOf(sql, "purchase_orders", companyId), (buyers) => [companyId, ...buyers]),
  due: (now: number, limit: number, after?: DuePlace) =>
    dueOrders(sql, now, limit, after).pipe(
      Effect.map((rows) =>
        rows.map((row): DueOrder => ({
          orderId: row.id,
          dueAt: Number(row.next_due),
          limitCompanyId: row.limit_company_id,
          concerned: [...new Set([row.buyer_company_id, row.limit_company_id])]
        }))
      ),
      unavailableOrDie
    ),
  list: Effect.fnUntraced(function* (filter: OrderFilter, page: Page) {
    const { next, rows, total } = yield* Keyset.page(sql, listed(sql, filter), page)
    return { orders: rows.map(summaryOfRow), total, next }
  }, unavailableOrDie)
})

/** Purchase orders in the database. */
export class PurchaseOrderRepository extends Context.Service<
  PurchaseOrderRepository,
  {
    /** Everything that happened to an order, oldest first; nothing where there is none. */
    readonly events: (orderId: string) => Effect.Effect<ReadonlyArray<PurchaseOrderEvent>, Unavailable>
    /** The same of several orders, by their ids. */
    readonly histories: (
      orderIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<PurchaseOrderEvent>>, Unavailable>
    /** What an account has available now. */
    readonly available: (account: AccountId) => Effect.Effect<Amount, Unavailable>
    /** A company, and those that keep metadata with the orders that it sells in, where those are listed. */
    readonly keepers: (
      filter: Pick<OrderFilter, "companyId" | "role">
    ) => Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable>
    /** At most `limit` that have an instalment to be reminded of, or overdue, at a time, from behind one of them on. */
    readonly due: (now: number, limit: number, after?: DuePlace) => Effect.Effect<ReadonlyArray<DueOrder>, Unavailable>
    /** Newest first. */
    readonly list: (
      filter: OrderFilter,
      page: Page
    ) => Effect.Effect<
      { readonly orders: ReadonlyArray<OrderSummary>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
  }
>()("emporion/commerce/PurchaseOrderRepository") {
  static readonly layer: Layer.Layer<PurchaseOrderRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => PurchaseOrderRepository.of(reads(sql)))
  )
}
