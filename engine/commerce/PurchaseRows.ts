import type { Aggregate, AggregateName } from "../journal/Aggregate.ts"
import { isOf, type PlatformEvent } from "../replay/PlatformEvent.ts"
import type { StateRow } from "../replay/StateTable.ts"
import {
  fulfilmentState,
  type OrderPayment,
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

/** All rows of an order, in the order in which their tables refer to each other. */
export const purchaseRows = (purchase: PurchaseRecord): ReadonlyArray<StateRow> => [
  orderRow(purchase),
  ...purchase.state.payments.map((payment) => paymentRow(purchase, payment))
]

const orderRow = (purchase: PurchaseRecord): StateRow => {
  const { state, updatedAt, userId } = purchase
  const { buyer, lines, orderId, paymentTerms, placedAt, schedule, sellers, total } = state.terms
  return {
    table: "purchase_orders",
    values: [
      orderId,
      buyer.companyId,
      userId,
      statusOf(state),
      paymentState(state),
      fulfilmentState(state),
      `${total}`,
      `${paidOf(state)}`,
      paymentTerms.type,
      text(paymentTerms.type === "installments" ? paymentTerms.installments : undefined),
      `${lines.length}`,
      `${placedAt}`,
      `${updatedAt}`,
      arrayText(sellers.map(({ sellerId }) => sellerId)),
      arrayText(sellers.map(({ subtotal }) => subtotal)),
      receivedOf(purchase),
      fulfilmentsOf(purchase),
      arrayText(schedule.map(({ dueAt }) => dueAt)),
      arrayText(schedule.map(({ amount }) => amount)),
      coveredBy(purchase)
    ]
  }
}

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
