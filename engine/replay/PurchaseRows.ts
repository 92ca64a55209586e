import { fulfilmentState, type OrderPayment, paidOf, paymentState, statusOf } from "../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import type { StateRow } from "./StateTable.ts"

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
