import {
  fulfilmentState,
  paymentState,
  type PurchaseOrderState,
  sellerIdsOf,
  statusOf,
  unpaidOf
} from "../../engine/commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import { type Amount, fromUnits, toNumber, ZERO } from "../../engine/money/Amount.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { OrderSummary, Subtotal } from "./PurchaseOrderRepository.ts"
import type { SeenOrder } from "./PurchaseOrders.ts"

const sum = (amounts: ReadonlyArray<Amount>): Amount => fromUnits(amounts.reduce((total, one) => total + one, 0n))

/** What of a payment went to a company. */
const partOf = ({ terms }: PurchaseOrderState, parts: ReadonlyArray<Amount>, companyId: string): Amount =>
  sum(terms.sellers.map(({ sellerId }, index) => (sellerId === companyId ? (parts[index] ?? ZERO) : ZERO)))

const subtotalsOf = ({ fulfilledAt, state }: PurchaseRecord): ReadonlyArray<Subtotal> =>
  Array.from(sellerIdsOf(state.terms), (companyId) => ({
    companyId,
    subtotal: sum(state.terms.sellers.filter(({ sellerId }) => sellerId === companyId).map(({ subtotal }) => subtotal)),
    paid: sum(state.payments.map(({ parts }) => partOf(state, parts, companyId))),
    fulfilledAt: fulfilledAt.get(companyId)
  }))

/** An order as its row would say it. */
export const summaryOf = (order: PurchaseRecord): OrderSummary => {
  const { state, updatedAt } = order
  const { buyer, lines, orderId, paymentTerms, placedAt, schedule, total } = state.terms
  return {
    orderId,
    buyerCompanyId: buyer.companyId,
    status: statusOf(state),
    paymentStatus: paymentState(state),
    fulfilmentStatus: fulfilmentState(state),
    amount: total,
    due: unpaidOf(state),
    terms: paymentTerms.type,
    installments: paymentTerms.type === "installments" ? paymentTerms.installments : undefined,
    schedule: schedule.map(({ amount, dueAt, number }) => ({
      number,
      amount,
      dueAt,
      isPaid: state.paidInstalments.has(number)
    })),
    sellers: subtotalsOf(order),
    items: lines.length,
    placedAt,
    updatedAt
  }
}

/** An order without its items, to a company that takes part in it. A seller is shown its own sub-total alone. */
export const summaryAnswer = (order: OrderSummary, as: string) => ({
  id: order.orderId,
  object: "order" as const,
  company_id: order.buyerCompanyId,
  status: order.status,
  payment_status: order.paymentStatus,
  fulfilment_status: order.fulfilmentStatus,
  amount: order.amount,
  amount_due: order.due,
  currency: "USD" as const,
  payment_terms: {
    type: order.terms,
    installments: order.installments ?? null,
    schedule: order.schedule.map(({ amount, dueAt, isPaid, number }) => ({
      number,
      amount,
      due_at: dueAt,
      paid: isPaid
    }))
  },
  sellers: order.sellers
    .filter(({ companyId }) => as === order.buyerCompanyId || companyId === as)
    .map(({ companyId, fulfilledAt, paid, subtotal }) => ({
      company_id: companyId,
      subtotal,
      paid,
      fulfilled_at: fulfilledAt ?? null
    })),
  item_count: order.items,
  created_at: order.placedAt,
  updated_at: order.updatedAt
})

/** A whole order, to a company that takes part in it. A seller is shown its own items and payments alone. */
export const orderAnswer = ({ as, order }: SeenOrder) => {
  const { state } = order
  const isBuyer = as === state.terms.buyer.companyId
  return {
    ...summaryAnswer(summaryOf(order), as),
    items: state.terms.lines
      .filter(({ sellerId }) => isBuyer || sellerId === as)
      .map(({ productId, quantity, sellerId, unitPrice }) => ({
        product_id: productId,
        seller_company_id: sellerId,
        quantity,
        unit_price: unitPrice,
        total: fromUnits(unitPrice * BigInt(quantity))
      })),
    payments: state.payments.map(({ amount, instalments, parts, paymentId }) => ({
      id: paymentId,
      amount: isBuyer ? amount : partOf(state, parts, as),
      installments: instalments,
      refunded: state.isCancelled
    }))
  }
}

/** The answer as JSON: the text that the contract's schema encodes it to. */
export const orderJson = (answer: ReturnType<typeof orderAnswer>): string => {
  const { payment_terms: terms } = answer
  return JSON.stringify({
    ...answer,
    amount: toNumber(answer.amount),
    amount_due: toNumber(answer.amount_due),
    payment_terms: {
      ...terms,
      schedule: terms.schedule.map((part) => ({ ...part, amount: toNumber(part.amount), due_at: isoUtc(part.due_at) }))
    },
    sellers: answer.sellers.map(({ fulfilled_at, paid, subtotal, ...seller }) => ({
      ...seller,
      subtotal: toNumber(subtotal),
      paid: toNumber(paid),
      fulfilled_at: fulfilled_at === null ? null : isoUtc(fulfilled_at)
    })),
    created_at: isoUtc(answer.created_at),
    updated_at: isoUtc(answer.updated_at),
    items: answer.items.map((item) => ({
      ...item,
      unit_price: toNumber(item.unit_price),
      total: toNumber(item.total)
    })),
    payments: answer.payments.map((payment) => ({ ...payment, amount: toNumber(payment.amount) }))
  })
}

const TYPES = {
  PurchaseOrderPlaced: "order.created",
  PurchaseOrderPaid: "order.paid",
  PurchaseOrderFulfilled: "order.fulfilled",
  PurchaseOrderCancelled: "order.cancelled"
} as const

/** What one event of an order says; `index` counts from 0. */
export const historyAnswer = (event: PurchaseOrderEvent, index: number) => ({
  number: index + 1,
  type: TYPES[event._tag],
  at: event.at,
  user_id: event.userId,
  company_id: event.companyId,
  amount:
    event._tag === "PurchaseOrderPlaced"
      ? event.terms.total
      : event._tag === "PurchaseOrderPaid"
        ? event.payment.amount
        : null,
  payment_id: event._tag === "PurchaseOrderPaid" ? event.payment.paymentId : null,
  reason: event._tag === "PurchaseOrderCancelled" ? event.reason : null
})
