import {
  fulfilmentState,
  paymentState,
  type PurchaseOrderState,
  statusOf,
  unpaidOf
} from "../../engine/commerce/PurchaseOrder.ts"
import { eventsFor, viewFor } from "../../engine/commerce/PurchaseOrderView.ts"
import type { PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import { subtotalsOf } from "../../engine/commerce/SellerSchedule.ts"
import { type Amount, fromUnits, toNumber, ZERO } from "../../engine/money/Amount.ts"
import { isoUtc } from "../api/Timestamp.ts"
import type { OrderSummary, Subtotal } from "./PurchaseOrderRepository.ts"
import type { SeenHistory, SeenOrder } from "./PurchaseOrders.ts"

const sum = (amounts: ReadonlyArray<Amount>): Amount => fromUnits(amounts.reduce((total, one) => total + one, 0n))

/** What of a payment went to a company. */
const partOf = ({ terms }: PurchaseOrderState, parts: ReadonlyArray<Amount>, companyId: string): Amount =>
  sum(terms.sellers.map(({ sellerId }, index) => (sellerId === companyId ? (parts[index] ?? ZERO) : ZERO)))

const sharesOf = ({ fulfilledAt, state }: PurchaseRecord): ReadonlyArray<Subtotal> =>
  Array.from(subtotalsOf(state.terms.sellers), ([companyId, subtotal]) => ({
    companyId,
    subtotal,
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
    sellers: sharesOf(order),
    items: lines.length,
    placedAt,
    updatedAt
  }
}

/** An order without its items, as a company that takes part in it may see it. */
export const summaryAnswer = (order: OrderSummary) => ({
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
  sellers: order.sellers.map(({ companyId, fulfilledAt, paid, subtotal }) => ({
    company_id: companyId,
    subtotal,
    paid,
    fulfilled_at: fulfilledAt ?? null
  })),
  item_count: order.items,
  created_at: order.placedAt,
  updated_at: order.updatedAt
})

/** An order with its items, to a company that takes part in it: a seller is shown its own part alone. */
export const orderAnswer = ({ as, order: whole }: SeenOrder) => {
  const order = viewFor(whole, as)
  const { state } = order
  return {
    ...summaryAnswer(summaryOf(order)),
    items: state.terms.lines.map(({ productId, quantity, sellerId, unitPrice }) => ({
      product_id: productId,
      seller_company_id: sellerId,
      quantity,
      unit_price: unitPrice,
      total: fromUnits(unitPrice * BigInt(quantity))
    })),
    payments: state.payments.map(({ amount, instalments, paymentId }) => ({
      id: paymentId,
      amount,
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

/** What the events of an order say to a company that takes part in it. Who another seller is, is not told. */
export const historyAnswers = ({ as, events, order }: SeenHistory) =>
  eventsFor(events, order, as).map(({ event, isAnothers }, index) => ({
    number: index + 1,
    type: TYPES[event._tag],
    at: event.at,
    user_id: isAnothers ? null : event.userId,
    company_id: isAnothers ? null : event.companyId,
    amount:
      event._tag === "PurchaseOrderPlaced"
        ? event.terms.total
        : event._tag === "PurchaseOrderPaid"
          ? event.payment.amount
          : null,
    payment_id: event._tag === "PurchaseOrderPaid" ? event.payment.paymentId : null,
    reason: event._tag === "PurchaseOrderCancelled" && !isAnothers ? event.reason : null
  }))
