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
import { bigints, texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"
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
  readonly seller_ids: ReadonlyArray<string>
  readonly subtotals: ReadonlyArray<bigint>
  readonly received: ReadonlyArray<bigint> | null
  readonly fulfilled_at: ReadonlyArray<bigint | null> | null
  readonly due_at: ReadonlyArray<bigint>
  readonly due_amounts: ReadonlyArray<bigint>
  readonly due_payments: ReadonlyArray<string | null> | null
}

/** One for each company, in the sequence in which the lines name them, whatever wallets it has. */
const sellersOf = (row: OrderRow): ReadonlyArray<Subtotal> => {
  const sellers = new Map<string, Subtotal>()
  for (const [index, companyId] of row.seller_ids.entries()) {
    const known = sellers.get(companyId)
    const fulfilledAt = row.fulfilled_at?.[index] ?? null
    sellers.set(companyId, {
      companyId,
      subtotal: fromUnits((known?.subtotal ?? 0n) + (row.subtotals[index] ?? 0n)),
      paid: fromUnits((known?.paid ?? 0n) + (row.received?.[index] ?? 0n)),
      fulfilledAt: fulfilledAt === null ? undefined : Number(fulfilledAt)
    })
  }
  return [...sellers.values()]
}

const toSummary = (row: OrderRow): OrderSummary => ({
  orderId: row.id,
  buyerCompanyId: row.buyer_company_id,
  status: row.status,
  paymentStatus: row.payment_status,
  fulfilmentStatus: row.fulfilment_status,
  amount: fromUnits(row.amount),
  due: fromUnits(row.status === "cancelled" ? 0n : row.amount - row.paid),
  terms: row.terms,
  installments: row.installments ?? undefined,
  schedule: row.due_amounts.map((amount, index) => ({
    number: index + 1,
    amount: fromUnits(amount),
    dueAt: Number(row.due_at[index]),
    isPaid: (row.due_payments?.[index] ?? null) !== null
  })),
  sellers: sellersOf(row),
  items: row.items,
  placedAt: Number(row.placed_at),
  updatedAt: Number(row.updated_at)
})

/** An order's status to a company: a seller's part is fulfilled when it has delivered, whatever the others have. */
const statusFor = (sql: SqlClient, companyId: string) => sql`
  CASE WHEN o.buyer_company_id = ${companyId} OR o.status = 'cancelled' THEN o.status
    WHEN o.fulfilled_at[array_position(o.seller_ids, ${companyId})] IS NOT NULL THEN 'fulfilled'
    WHEN o.payment_status = 'paid' THEN 'paid' ELSE 'pending' END`

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
  list: Effect.fnUntraced(function* ({ companyId, role, status }: OrderFilter, page: Page) {
    const bought = sql`o.buyer_company_id = ${companyId}`
    const sold = sql`o.seller_ids @> ${texts([companyId])}::text[]`
    const party = role === "buyer" ? bought : role === "seller" ? sold : sql.or([bought, sold])
    const listed: Keyset.Listed<OrderRow> = {
      select: sql`
        SELECT id, buyer_company_id, status, payment_status, fulfilment_status, amount, paid, terms, installments,
          items, placed_at, updated_at, seller_ids, subtotals, received, fulfilled_at, due_at, due_amounts, due_payments
        FROM purchase_orders AS o`,
      from: sql`purchase_orders AS o`,
      scope: party,
      wanted: status === undefined ? undefined : sql`${statusFor(sql, companyId)} = ${status}`,
      order: [
        { column: "o.placed_at", descending: true },
        { column: "o.id", descending: true }
      ],
      id: "o.id",
      idOf: ({ id }) => id
    }
    const { next, rows, total } = yield* Keyset.page(sql, listed, page)
    return { orders: rows.map(toSummary), total, next }
  }, unavailableOrDie)
})

type Events<E> = ReadonlyArray<Recorded<E>>

/** An array within an array travels as text. Neither ids nor numbers have anything in them to quote. */
const arrayText = (values: ReadonlyArray<string | number | bigint>): string => `{${values.join(",")}}`

const placements =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderPlaced>): Statements => {
    const orders = recorded.map(({ event }) => ({ ...event.terms, userId: event.userId, at: event.at }))
    return [
      sql`
      INSERT INTO purchase_orders (id, buyer_company_id, buyer_user_id, status, payment_status, fulfilment_status,
        amount, terms, installments, items, placed_at, updated_at, seller_ids, subtotals, due_at, due_amounts)
      SELECT id, company_id, user_id, 'pending', 'unpaid', 'unfulfilled', amount, terms, nullif(installments, 0), items,
        at, at, seller_ids::text[], subtotals::bigint[], due_at::bigint[], due_amounts::bigint[]
      FROM unnest(
        ${texts(orders.map(({ orderId }) => orderId))}::text[],
        ${texts(orders.map(({ buyer }) => buyer.companyId))}::text[],
        ${texts(orders.map(({ userId }) => userId))}::text[],
        ${bigints(orders.map(({ total }) => total))}::bigint[],
        ${texts(orders.map(({ paymentTerms }) => paymentTerms.type))}::text[],
        ${bigints(orders.map(({ paymentTerms }) => BigInt(paymentTerms.type === "installments" ? paymentTerms.installments : 0)))}::integer[],
        ${bigints(orders.map((order) => BigInt(order.lines.length)))}::integer[],
        ${bigints(orders.map(({ at }) => BigInt(at)))}::bigint[],
        ${texts(orders.map(({ sellers }) => arrayText(sellers.map(({ sellerId }) => sellerId))))}::text[],
        ${texts(orders.map(({ sellers }) => arrayText(sellers.map(({ subtotal }) => subtotal))))}::text[],
        ${texts(orders.map(({ schedule }) => arrayText(schedule.map(({ dueAt }) => dueAt))))}::text[],
        ${texts(orders.map(({ schedule }) => arrayText(schedule.map(({ amount }) => amount))))}::text[])
        AS placed (id, company_id, user_id, amount, terms, installments, items, at, seller_ids, subtotals, due_at,
          due_amounts)`
    ]
  }

/** What several payments of one order come to: a statement changes a row once. */
const paidTogether = (payments: ReadonlyArray<PurchaseOrderPaid>) =>
  Array.from(
    Map.groupBy(payments, ({ orderId }) => orderId),
    ([orderId, made]) => ({
      orderId,
      amount: made.reduce((sum, { payment }) => sum + payment.amount, 0n),
      at: Math.max(...made.map(({ at }) => at)),
      parts: (made[0]?.payment.parts ?? []).map((_, index) =>
        made.reduce((sum, { payment }) => sum + (payment.parts[index] ?? 0n), 0n)
      ),
      covered: made.flatMap(({ payment }) => payment.instalments.map((number) => [number, payment.paymentId] as const))
    })
  )

const payments =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderPaid>): Statements => {
    const events = recorded.map(({ event }) => event)
    const orders = paidTogether(events)
    return [
      sql`
      INSERT INTO purchase_order_payments (id, order_id, from_account, amount, paid_at)
      SELECT * FROM unnest(
        ${texts(events.map(({ payment }) => payment.paymentId))}::text[],
        ${texts(events.map(({ orderId }) => orderId))}::text[],
        ${texts(events.map(({ payment }) => payment.from))}::text[],
        ${bigints(events.map(({ payment }) => payment.amount))}::bigint[],
        ${bigints(events.map(({ at }) => BigInt(at)))}::bigint[])`,
      sql`
      UPDATE purchase_orders AS o SET
        paid = o.paid + made.amount,
        payment_status = CASE WHEN o.paid + made.amount = o.amount THEN 'paid' ELSE 'partially_paid' END,
        status = CASE WHEN o.status = 'pending' AND o.paid + made.amount = o.amount THEN 'paid' ELSE o.status END,
        received = (
          SELECT array_agg(coalesce(had, 0) + part ORDER BY number)
          FROM unnest(o.received, made.parts::bigint[]) WITH ORDINALITY AS got (had, part, number)),
        due_payments = (
          SELECT array_agg(coalesce(had, covered.payment_id) ORDER BY due.number)
          FROM unnest(o.due_payments, o.due_at) WITH ORDINALITY AS due (had, at, number)
            LEFT JOIN unnest(made.numbers::integer[], made.payment_ids::text[]) AS covered (number, payment_id)
              ON covered.number = due.number),
        updated_at = greatest(o.updated_at, made.at)
      FROM unnest(
        ${texts(orders.map(({ orderId }) => orderId))}::text[],
        ${bigints(orders.map(({ amount }) => amount))}::bigint[],
        ${bigints(orders.map(({ at }) => BigInt(at)))}::bigint[],
        ${texts(orders.map(({ parts }) => arrayText(parts)))}::text[],
        ${texts(orders.map(({ covered }) => arrayText(covered.map(([number]) => number))))}::text[],
        ${texts(orders.map(({ covered }) => arrayText(covered.map(([, paymentId]) => paymentId))))}::text[])
        AS made (id, amount, at, parts, numbers, payment_ids)
      WHERE o.id = made.id`
    ]
  }

const deliveries =
  (sql: SqlClient) =>
  (recorded: Events<PurchaseOrderFulfilled>): Statements => {
    const orders = Array.from(
      Map.groupBy(
        recorded.map(({ event }) => event),
        ({ orderId }) => orderId
      )
    )
    return [
      sql`
      UPDATE purchase_orders AS o SET
        fulfilled_at = delivered.fulfilled_at,
        fulfilment_status = CASE WHEN delivered.is_whole THEN 'fulfilled' ELSE 'partially_fulfilled' END,
        status = CASE WHEN delivered.is_whole THEN 'fulfilled' ELSE o.status END,
        updated_at = greatest(o.updated_at, delivered.at)
      FROM (
        SELECT before.id, event.at, after.fulfilled_at, after.is_whole
        FROM unnest(
          ${texts(orders.map(([orderId]) => orderId))}::text[],
          ${bigints(orders.map(([, events]) => BigInt(Math.max(...events.map(({ at }) => at)))))}::bigint[],
          ${texts(orders.map(([, events]) => arrayText(events.map(({ companyId }) => companyId))))}::text[],
          ${texts(orders.map(([, events]) => arrayText(events.map(({ at }) => at))))}::text[])
          AS event (order_id, at, company_ids, times)
          JOIN purchase_orders AS before ON before.id = event.order_id
          CROSS JOIN LATERAL (
            SELECT array_agg(coalesce(had, given.at) ORDER BY number) AS fulfilled_at,
              bool_and(coalesce(had, given.at) IS NOT NULL) AS is_whole
            FROM unnest(before.fulfilled_at, before.seller_ids) WITH ORDINALITY AS seller (had, company_id, number)
              LEFT JOIN unnest(event.company_ids::text[], event.times::bigint[]) AS given (company_id, at)
                ON given.company_id = seller.company_id) AS after) AS delivered
      WHERE o.id = delivered.id`
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
      FROM unnest(${texts(ids)}::text[], ${bigints(recorded.map(({ event }) => BigInt(event.at)))}::bigint[]) AS cancelled (id, at)
      WHERE o.id = cancelled.id`,
      sql`
      UPDATE purchase_order_payments AS payment SET refunded_at = o.updated_at
      FROM purchase_orders AS o WHERE o.id = ANY(${texts(ids)}::text[]) AND payment.order_id = o.id`
    ]
  }

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
    /** Newest first. */
    readonly list: (
      filter: OrderFilter,
      page: Page
    ) => Effect.Effect<
      { readonly orders: ReadonlyArray<OrderSummary>; readonly total: number; readonly next: string | undefined },
      Unavailable | Keyset.UnknownCursor
    >
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
