import { fulfilmentState, type OrderPayment, paidOf, paymentState, statusOf } from "../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import type { StateRow } from "./StateTable.ts"

const text = (value: bigint | number | undefined): string | null => (value === undefined ? null : `${value}`)

/** All rows of an order, in the order in which their tables refer to each other. */
export const purchaseRows = (purchase: PurchaseRecord): ReadonlyArray<StateRow> => [
  orderRow(purchase),
  ...sellerRows(purchase),
  ...purchase.state.payments.map((payment) => paymentRow(purchase, payment)),
  ...instalmentRows(purchase)
]

const orderRow = ({ state, updatedAt, userId }: PurchaseRecord): StateRow => {
  const { buyer, lines, orderId, paymentTerms, placedAt, total } = state.terms
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
      `${updatedAt}`
    ]
  }
}

const sellerRows = ({ fulfilledAt, state: { payments, terms } }: PurchaseRecord): ReadonlyArray<StateRow> =>
  terms.sellers.map(({ sellerId, subtotal, wallet }, index) => ({
    table: "purchase_order_sellers",
    values: [
      `${terms.orderId}/${index + 1}`,
      terms.orderId,
      `${index + 1}`,
      sellerId,
      wallet,
      `${subtotal}`,
      `${payments.reduce((sum, { parts }) => sum + (parts[index] ?? 0n), 0n)}`,
      text(fulfilledAt.get(sellerId))
    ]
  }))

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

const instalmentRows = ({ state: { payments, terms } }: PurchaseRecord): ReadonlyArray<StateRow> => {
  const paidBy = new Map(
    payments.flatMap(({ instalments, paymentId }) => instalments.map((number) => [number, paymentId] as const))
  )
  return terms.schedule.map(({ amount, dueAt, number }) => ({
    table: "purchase_order_instalments",
    values: [
      `${terms.orderId}/${number}`,
      terms.orderId,
      `${number}`,
      `${amount}`,
      `${dueAt}`,
      paidBy.get(number) ?? null
    ]
  }))
}
