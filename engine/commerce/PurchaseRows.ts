import type { Aggregate, AggregateName } from "../journal/Aggregate.ts"
import { isOf, type PlatformEvent } from "../replay/PlatformEvent.ts"
import { rowValues } from "../replay/RowColumns.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { metadataColumn } from "../metadata/Metadata.ts"
import { fromUnits } from "../money/Amount.ts"
import type { OrderSummary, SellerSubtotal } from "./OrderObject.ts"
import type { PaymentTerms } from "./PaymentTerms.ts"
import {
  type FulfilmentState,
  type PaymentState,
  type PurchaseOrderStatus,
  purchaseOrderStream
} from "./PurchaseOrder.ts"
import { type OrderPayment } from "./PurchaseOrderTerms.ts"
import { begun, copied, type PurchaseRecord, record } from "./PurchaseRecord.ts"
import { ORDER_COLUMNS } from "./PurchaseOrderColumns.ts"

const text = (value: bigint | number | undefined): string | null => (value === undefined ? null : `${value}`)

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
  readonly reminded: ReadonlyArray<number> | null
  readonly overdue: ReadonlyArray<number> | null
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

/** What an order's row says of what is due when. */
export const scheduleOfRow = ({
  due_amounts: amounts,
  due_at: dueAt,
  due_payments: payments,
  overdue,
  status
}: Pick<OrderRow, "due_amounts" | "due_at" | "due_payments" | "overdue" | "status">): OrderSummary["schedule"] =>
  amounts.map((amount, index) => {
    const number = index + 1
    const isPaid = (payments?.[index] ?? null) !== null
    const isFound = overdue?.includes(number) === true
    const isOverdue = isFound && !isPaid && status !== "cancelled"
    return { number, amount: fromUnits(amount), dueAt: Number(dueAt[index]), isPaid, isOverdue }
  })

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
  schedule: scheduleOfRow(row),
  sellers: sellersOf(row),
  items: row.items,
  placedAt: Number(row.placed_at),
  updatedAt: Number(row.updated_at),
  ...metadataColumn(row)
})

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
