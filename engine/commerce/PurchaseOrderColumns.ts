import { metadataText } from "../metadata/Metadata.ts"
import { nextDueOf } from "./OverdueDecision.ts"
import { fulfilmentState, overdueAmountOf, paidOf, paymentState, statusOf } from "./PurchaseOrder.ts"
import type { PurchaseRecord } from "./PurchaseRecord.ts"

/** A PostgreSQL array as text. Neither ids nor numbers have anything in them that is quoted. */
const arrayText = (values: ReadonlyArray<string | number | bigint | undefined>): string =>
  `{${values.map((value) => value ?? "NULL").join(",")}}`

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

/** Numbers of instalments, ascending; nothing before the first. */
const numbersOf = (numbers: ReadonlySet<number>): string | null =>
  numbers.size === 0 ? null : arrayText([...numbers].toSorted((one, other) => one - other))

const textOr = (value: bigint | number | null): string | null => (value === null ? null : `${value}`)

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
  metadata: ({ state }) => metadataText(state.terms.metadata),
  reminded: ({ state }) => numbersOf(state.remindedOf),
  overdue: ({ state }) => numbersOf(state.foundOverdue),
  overdue_amount: ({ state }) => textOr(overdueAmountOf(state) || null),
  next_due: ({ state }) => textOr(nextDueOf(state))
} satisfies Readonly<Record<string, OrderColumn>>
