import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import {
  type FulfilmentState,
  type PaymentState,
  type PurchaseOrderStatus,
  purchaseOrderStream
} from "../../engine/commerce/PurchaseOrder.ts"
import type {
  PurchaseOrderCancelled,
  PurchaseOrderEvent,
  PurchaseOrderFulfilled,
  PurchaseOrderPaid,
  PurchaseOrderPlaced
} from "../../engine/commerce/PurchaseOrderEvent.ts"
import { decodePurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEventCodec.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import type { Statements } from "../database/Projection.ts"

/** What is due when. */
export interface DueInstalment {
  readonly number: number
  readonly amount: Amount
  readonly dueAt: number
  readonly isPaid: boolean
}

/** What one selling company has to get. */
export interface Subtotal {
  readonly companyId: string
  readonly subtotal: Amount
  readonly paid: Amount
  readonly fulfilledAt: number | undefined
}

/** An order without its lines. */
export interface OrderSummary {
  readonly orderId: string
  readonly buyerCompanyId: string
  readonly status: PurchaseOrderStatus
  readonly paymentStatus: PaymentState
  readonly fulfilmentStatus: FulfilmentState
  readonly amount: Amount
  /** Owed still: nothing of a cancelled order. */
  readonly due: Amount
  readonly terms: PaymentTerms["type"]
  readonly installments: number | undefined
  readonly schedule: ReadonlyArray<DueInstalment>
  readonly sellers: ReadonlyArray<Subtotal>
  readonly items: number
  readonly placedAt: number
  readonly updatedAt: number
}

/** Which orders of a company; undefined: any. */
export interface OrderFilter {
  readonly companyId: string
  readonly role: "buyer" | "seller" | undefined
  readonly status: PurchaseOrderStatus | undefined
}

interface OrderRow {
  readonly id: string
  readonly buyer_company_id: string
  readonly status: PurchaseOrderStatus
  readonly payment_status: PaymentState
  readonly fulfilment_status: FulfilmentState
  readonly amount: bigint
  readonly paid: bigint
  readonly terms: PaymentTerms["type"]
  readonly installments: number | null
  readonly items: number
  readonly placed_at: bigint
  readonly updated_at: bigint
}

interface SellerRow {
  readonly order_id: string
  readonly seller_company_id: string
  readonly subtotal: string
  readonly paid: string
  readonly fulfilled_at: bigint | null
}

interface InstalmentRow {
  readonly order_id: string
  readonly number: number
  readonly amount: bigint
  readonly due_at: bigint
  readonly paid: boolean
}

const toSummary = (
  row: OrderRow,
  sellers: ReadonlyArray<SellerRow>,
  instalments: ReadonlyArray<InstalmentRow>
): OrderSummary => ({
  orderId: row.id,
  buyerCompanyId: row.buyer_company_id,
  status: row.status,
  paymentStatus: row.payment_status,
  fulfilmentStatus: row.fulfilment_status,
  amount: fromUnits(row.amount),
  due: fromUnits(row.status === "cancelled" ? 0n : row.amount - row.paid),
  terms: row.terms,
  installments: row.installments ?? undefined,
  schedule: instalments.map(({ amount, due_at, number, paid }) => ({
    number,
    amount: fromUnits(amount),
    dueAt: Number(due_at),
    isPaid: paid
  })),
  sellers: sellers.map(({ fulfilled_at, paid, seller_company_id, subtotal }) => ({
    companyId: seller_company_id,
    subtotal: fromUnits(BigInt(subtotal)),
    paid: fromUnits(BigInt(paid)),
    fulfilledAt: fulfilled_at === null ? undefined : Number(fulfilled_at)
  })),
  items: row.items,
  placedAt: Number(row.placed_at),
  updatedAt: Number(row.updated_at)
})

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
  list: Effect.fnUntraced(function* ({ companyId, role, status }: OrderFilter, { limit, offset }: Page) {
    const bought = sql`o.buyer_company_id = ${companyId}`
    const sold = sql`o.id IN (SELECT order_id FROM purchase_order_sellers WHERE seller_company_id = ${companyId})`
    const party = role === "buyer" ? bought : role === "seller" ? sold : sql.or([bought, sold])
    const condition = status === undefined ? party : sql.and([party, sql`o.status = ${status}`])
    const [rows, [counted]] = yield* Effect.all(
      [
        sql<OrderRow>`
          SELECT id, buyer_company_id, status, payment_status, fulfilment_status, amount, paid, terms, installments,
            items, placed_at, updated_at
          FROM purchase_orders AS o WHERE ${condition}
          ORDER BY o.placed_at DESC, o.id LIMIT ${BigInt(limit)} OFFSET ${BigInt(offset)}`,
        sql<{ readonly total: bigint }>`SELECT count(*) AS total FROM purchase_orders AS o WHERE ${condition}`
      ],
      { concurrency: "unbounded" }
    )
    const total = Number(counted?.total ?? 0n)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return { orders: [], total }
    const [sellers, instalments] = yield* Effect.all(
      [
        sql<SellerRow>`
          SELECT order_id, seller_company_id, sum(subtotal)::text AS subtotal, sum(paid)::text AS paid,
            min(fulfilled_at) AS fulfilled_at
          FROM purchase_order_sellers WHERE order_id = ANY(${ids}::text[])
          GROUP BY order_id, seller_company_id ORDER BY order_id, min(number)`,
        sql<InstalmentRow>`
          SELECT order_id, number, amount, due_at, payment_id IS NOT NULL AS paid
          FROM purchase_order_instalments WHERE order_id = ANY(${ids}::text[]) ORDER BY order_id, number`
      ],
      { concurrency: "unbounded" }
    )
    const [sellersOf, instalmentsOf] = [Map.groupBy(sellers, orderIdOf), Map.groupBy(instalments, orderIdOf)]
    return {
      orders: rows.map((row) => toSummary(row, sellersOf.get(row.id) ?? [], instalmentsOf.get(row.id) ?? [])),
      total
    }
  }, unavailableOrDie)
})

const orderIdOf = ({ order_id }: { readonly order_id: string }): string => order_id

type Events<E> = ReadonlyArray<Recorded<E>>

const placements =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderPlaced>): Statements => {
    const orders = recorded.map(({ event }) => ({ ...event.terms, userId: event.userId, at: event.at }))
    const numbered = <A>(of: (order: (typeof orders)[number]) => ReadonlyArray<A>) =>
      orders.flatMap((order) => of(order).map((one, index) => ({ orderId: order.orderId, number: index + 1, one })))
    const shares = numbered(({ sellers }) => sellers)
    const parts = numbered(({ schedule }) => schedule)
    const keys = (rows: ReadonlyArray<{ readonly orderId: string; readonly number: number }>) =>
      rows.map(({ number, orderId }) => `${orderId}/${number}`)
    return [
      sql`
      INSERT INTO purchase_orders (id, buyer_company_id, buyer_user_id, status, payment_status, fulfilment_status,
        amount, terms, installments, items, placed_at, updated_at)
      SELECT id, company_id, user_id, 'pending', 'unpaid', 'unfulfilled', amount, terms, nullif(installments, 0), items,
        at, at
      FROM unnest(
        ${orders.map(({ orderId }) => orderId)}::text[],
        ${orders.map(({ buyer }) => buyer.companyId)}::text[],
        ${orders.map(({ userId }) => userId)}::text[],
        ${orders.map(({ total }) => total)}::bigint[],
        ${orders.map(({ paymentTerms }) => paymentTerms.type)}::text[],
        ${orders.map(({ paymentTerms }) => BigInt(paymentTerms.type === "installments" ? paymentTerms.installments : 0))}::integer[],
        ${orders.map((order) => BigInt(order.lines.length))}::integer[],
        ${orders.map(({ at }) => BigInt(at))}::bigint[])
        AS placed (id, company_id, user_id, amount, terms, installments, items, at)`,
      sql`
      INSERT INTO purchase_order_sellers (id, order_id, number, seller_company_id, wallet, subtotal)
      SELECT * FROM unnest(
        ${keys(shares)}::text[],
        ${shares.map(({ orderId }) => orderId)}::text[],
        ${shares.map(({ number }) => BigInt(number))}::integer[],
        ${shares.map(({ one }) => one.sellerId)}::text[],
        ${shares.map(({ one }) => one.wallet)}::text[],
        ${shares.map(({ one }) => one.subtotal)}::bigint[])`,
      sql`
      INSERT INTO purchase_order_instalments (id, order_id, number, amount, due_at)
      SELECT * FROM unnest(
        ${keys(parts)}::text[],
        ${parts.map(({ orderId }) => orderId)}::text[],
        ${parts.map(({ number }) => BigInt(number))}::integer[],
        ${parts.map(({ one }) => one.amount)}::bigint[],
        ${parts.map(({ one }) => BigInt(one.dueAt))}::bigint[])`
    ]
  }

const payments =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderPaid>): Statements => {
    const events = recorded.map(({ event }) => event)
    const covered = events.flatMap(({ orderId, payment }) =>
      payment.instalments.map((number) => ({ key: `${orderId}/${number}`, paymentId: payment.paymentId }))
    )
    const parts = events.flatMap(({ orderId, payment }) =>
      payment.parts.map((amount, index) => ({ key: `${orderId}/${index + 1}`, amount }))
    )
    return [
      sql`
      INSERT INTO purchase_order_payments (id, order_id, from_account, amount, paid_at)
      SELECT * FROM unnest(
        ${events.map(({ payment }) => payment.paymentId)}::text[],
        ${events.map(({ orderId }) => orderId)}::text[],
        ${events.map(({ payment }) => payment.from)}::text[],
        ${events.map(({ payment }) => payment.amount)}::bigint[],
        ${events.map(({ at }) => BigInt(at))}::bigint[])`,
      sql`
      UPDATE purchase_order_instalments AS instalment SET payment_id = covered.payment_id
      FROM unnest(
        ${covered.map(({ key }) => key)}::text[],
        ${covered.map(({ paymentId }) => paymentId)}::text[]) AS covered (id, payment_id)
      WHERE instalment.id = covered.id`,
      sql`
      UPDATE purchase_order_sellers AS seller SET paid = seller.paid + part.amount
      FROM (
        SELECT id, sum(amount)::bigint AS amount
        FROM unnest(${parts.map(({ key }) => key)}::text[], ${parts.map(({ amount }) => amount)}::bigint[])
          AS part (id, amount) GROUP BY id) AS part
      WHERE seller.id = part.id`,
      sql`
      UPDATE purchase_orders AS o SET
        paid = o.paid + made.amount,
        payment_status = CASE WHEN o.paid + made.amount = o.amount THEN 'paid' ELSE 'partially_paid' END,
        status = CASE WHEN o.status = 'pending' AND o.paid + made.amount = o.amount THEN 'paid' ELSE o.status END,
        updated_at = greatest(o.updated_at, made.at)
      FROM (
        SELECT id, sum(amount)::bigint AS amount, max(at) AS at
        FROM unnest(
          ${events.map(({ orderId }) => orderId)}::text[],
          ${events.map(({ payment }) => payment.amount)}::bigint[],
          ${events.map(({ at }) => BigInt(at))}::bigint[]) AS made (id, amount, at) GROUP BY id) AS made
      WHERE o.id = made.id`
    ]
  }

const deliveries =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderFulfilled>): Statements => {
    const events = recorded.map(({ event }) => event)
    return [
      sql`
      UPDATE purchase_order_sellers AS seller SET fulfilled_at = delivered.at
      FROM unnest(
        ${events.map(({ orderId }) => orderId)}::text[],
        ${events.map(({ companyId }) => companyId)}::text[],
        ${events.map(({ at }) => BigInt(at))}::bigint[]) AS delivered (order_id, company_id, at)
      WHERE seller.order_id = delivered.order_id AND seller.seller_company_id = delivered.company_id`,
      sql`
      UPDATE purchase_orders AS o SET
        fulfilment_status = CASE WHEN delivered.is_whole THEN 'fulfilled' ELSE 'partially_fulfilled' END,
        status = CASE WHEN delivered.is_whole THEN 'fulfilled' ELSE o.status END,
        updated_at = greatest(o.updated_at, delivered.at)
      FROM (
        SELECT event.order_id, max(event.at) AS at,
          NOT EXISTS (SELECT FROM purchase_order_sellers AS seller
            WHERE seller.order_id = event.order_id AND seller.fulfilled_at IS NULL) AS is_whole
        FROM unnest(
          ${events.map(({ orderId }) => orderId)}::text[],
          ${events.map(({ at }) => BigInt(at))}::bigint[]) AS event (order_id, at)
        GROUP BY event.order_id) AS delivered
      WHERE o.id = delivered.order_id`
    ]
  }

const cancellations =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderCancelled>): Statements => {
    const ids = recorded.map(({ event }) => event.orderId)
    return [
      sql`
      UPDATE purchase_orders AS o SET
        status = 'cancelled', fulfilment_status = 'cancelled',
        payment_status = CASE WHEN o.paid > 0 THEN 'refunded' ELSE 'unpaid' END,
        updated_at = greatest(o.updated_at, cancelled.at)
      FROM unnest(${ids}::text[], ${recorded.map(({ event }) => BigInt(event.at))}::bigint[]) AS cancelled (id, at)
      WHERE o.id = cancelled.id`,
      sql`
      UPDATE purchase_order_payments AS payment SET refunded_at = o.updated_at
      FROM purchase_orders AS o WHERE o.id = ANY(${ids}::text[]) AND payment.order_id = o.id`
    ]
  }

/** Purchase orders in the database. */
export class PurchaseOrderRepository extends Context.Service<
  PurchaseOrderRepository,
  {
    /** Everything that happened to an order, oldest first; nothing where there is none. */
    readonly events: (orderId: string) => Effect.Effect<ReadonlyArray<PurchaseOrderEvent>, Unavailable>
    /** What an account has available now. */
    readonly available: (account: AccountId) => Effect.Effect<Amount, Unavailable>
    /** Newest first. */
    readonly list: (
      filter: OrderFilter,
      page: Page
    ) => Effect.Effect<{ readonly orders: ReadonlyArray<OrderSummary>; readonly total: number }, Unavailable>
    readonly placed: (events: Events<PurchaseOrderPlaced>) => Statements
    readonly paid: (events: Events<PurchaseOrderPaid>) => Statements
    readonly fulfilled: (events: Events<PurchaseOrderFulfilled>) => Statements
    readonly cancelled: (events: Events<PurchaseOrderCancelled>) => Statements
  }
>()("emporion/commerce/PurchaseOrderRepository") {
  static readonly layer: Layer.Layer<PurchaseOrderRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      PurchaseOrderRepository.of({
        ...reads(sql),
        placed: placements(sql),
        paid: payments(sql),
        fulfilled: deliveries(sql),
        cancelled: cancellations(sql)
      })
    )
  )
}
