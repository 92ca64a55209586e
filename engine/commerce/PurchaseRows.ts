import type { Aggregate, AggregateName } from "../journal/Aggregate.ts"
import { isOf, type PlatformEvent } from "../replay/PlatformEvent.ts"
import { rowValues } from "../replay/RowColumns.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { metadataColumn, metadataText } from "../metadata/Metadata.ts"
import { fromUnits } from "../money/Amount.ts"
import type { OrderSummary, SellerSubtotal } from "./OrderObject.ts"
import type { PaymentTerms } from "./PaymentTerms.ts"
import {
  type FulfilmentState,
  fulfilmentState,
  type OrderPayment,
  type PaymentState,
  type PurchaseOrderStatus,
  paidOf,
  paymentState,
  purchaseOrderStream,
  statusOf
} from "./PurchaseOrder.ts"
import { begun, copied, type PurchaseRecord, record } from "./PurchaseRecord.ts"

const text = (value: bigint | number | undefined): string | null => (value === undefined ? null : `${value}`)

/** A PostgreSQL array as text. Neither ids nor numbers have anything in them that is quoted. */
const arrayText = (values: ReadonlyArray<string | number | bigint | undefined>): string =>
  `{${values.map((value) => value ?? "NULL").join(",")}}`

type OrderColumn = (purchase: PurchaseRecord) => string | null

/** The columns of an order's row. */
export const ORDER_COLUMNS = {
  id: ({ state }) => state.terms.orderId,
  buyer_company_id: ({ state }) => state.terms.buyer.companyId,
  buyer_user_id: ({ userId }) => userId,
  status: ({ state }) => statusOf(state),
  payment_status: ({ state }) => paymentState(state),
  fulfilment_status: ({ state }) => fulfilmentState(state),
  amount: ({ state }) => `${state.terms.total}`,
  paid: ({ state }) => `${paidOf(state)}`,
  terms: ({ state }) => state.terms.paymentTerms.type,
  installments: ({ state: { terms } }) =>
    terms.paymentTerms.type === "installments" ? `${terms.paymentTerms.installments}` : null,
  items: ({ state }) => `${state.terms.lines.length}`,
  placed_at: ({ state }) => `${state.terms.placedAt}`,
  updated_at: ({ updatedAt }) => `${updatedAt}`,
  seller_ids: ({ state }) => arrayText(state.terms.sellers.map(({ sellerId }) => sellerId)),
  subtotals: ({ state }) => arrayText(state.terms.sellers.map(({ subtotal }) => subtotal)),
  received: (purchase) => receivedOf(purchase),
  fulfilled_at: (purchase) => fulfilmentsOf(purchase),
  due_at: ({ state }) => arrayText(state.terms.schedule.map(({ dueAt }) => dueAt)),
  due_amounts: ({ state }) => arrayText(state.terms.schedule.map(({ amount }) => amount)),
  due_payments: (purchase) => coveredBy(purchase),
  metadata: ({ state }) => metadataText(state.terms.metadata)
} satisfies Readonly<Record<string, OrderColumn>>

/** All rows of an order, in the order in which their tables refer to each other. */
export const purchaseRows = (purchase: PurchaseRecord): ReadonlyArray<StateRow> => [
  { table: "purchase_orders", values: rowValues(ORDER_COLUMNS, purchase) },
  ...purchase.state.payments.map((payment) => paymentRow(purchase, payment))
]

/** An order's row as it is read. */
export interface OrderRow {
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
  readonly metadata: string
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

/** What an order's row says of it. */
export const summaryOfRow = (row: OrderRow): OrderSummary => ({
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
  updatedAt: Number(row.updated_at),
  ...metadataColumn(row)
})

/** What each seller got; nothing before the first payment. */
const receivedOf = ({ state: { payments, terms } }: PurchaseRecord): string | null =>
  payments.length === 0
    ? null
    : arrayText(terms.sellers.map((_, index) => payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)))

/** When each seller fulfilled; nothing before the first. */
const fulfilmentsOf = ({ fulfilledAt, state: { terms } }: PurchaseRecord): string | null =>
  fulfilledAt.size === 0 ? null : arrayText(terms.sellers.map(({ sellerId }) => fulfilledAt.get(sellerId)))

/** The payment of each instalment; nothing before the first. */
const coveredBy = ({ state: { payments, terms } }: PurchaseRecord): string | null => {
  const paidBy = new Map(
    payments.flatMap(({ instalments, paymentId }) => instalments.map((number) => [number, paymentId] as const))
  )
  return paidBy.size === 0 ? null : arrayText(terms.schedule.map(({ number }) => paidBy.get(number)))
}

const paymentRow = (
  { paidAt, state, updatedAt }: PurchaseRecord,
  { amount, from, paymentId }: OrderPayment
): StateRow => ({
  table: "purchase_order_payments",
  values: [
    paymentId,
    state.terms.orderId,
    from,
    `${amount}`,
    text(paidAt.get(paymentId)),
    text(state.isCancelled ? updatedAt : undefined)
  ]
})

const isOwn = isOf("purchase")

const nameOf = (event: PlatformEvent): AggregateName | undefined => {
  if (!isOwn(event)) return undefined
  const isNew = event._tag === "PurchaseOrderPlaced"
  return { name: purchaseOrderStream(isNew ? event.terms.orderId : event.orderId), isNew }
}

const after = (before: PurchaseRecord | undefined, event: PlatformEvent): PurchaseRecord => {
  if (event._tag === "PurchaseOrderPlaced") return begun(event)
  if (before === undefined || !isOwn(event)) throw new RangeError(`${event._tag} of an order that was never placed`)
  const order = copied(before)
  record(order, event)
  return order
}

/** The rows of orders, by the name of their stream: what was paid and delivered before decides what an event makes of them. */
export const purchases: Aggregate<PurchaseRecord> = {
  of: nameOf,
  after: (before, { event }) => after(before, event),
  namesOf: ({ state }) => [purchaseOrderStream(state.terms.orderId)],
  rows: purchaseRows
}
