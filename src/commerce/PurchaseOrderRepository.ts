import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { OrderSummary, SellerSubtotal } from "../../engine/commerce/OrderObject.ts"
import type { PaymentTerms } from "../../engine/commerce/PaymentTerms.ts"
import {
  type FulfilmentState,
  type PaymentState,
  type PurchaseOrderStatus,
  purchaseOrderStream
} from "../../engine/commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { decodePurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { texts } from "../database/ArrayParameter.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

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
const sellersOf = (row: OrderRow): ReadonlyArray<SellerSubtotal> => {
  const sellers = new Map<string, SellerSubtotal>()
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
  }
>()("emporion/commerce/PurchaseOrderRepository") {
  static readonly layer: Layer.Layer<PurchaseOrderRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) => PurchaseOrderRepository.of(reads(sql)))
  )
}
