import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import type { PurchaseOrderTerms } from "../../engine/commerce/PurchaseOrderTerms.ts"
import { eventsFor, viewFor } from "../../engine/commerce/PurchaseOrderView.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import type { SeenHistory } from "./PurchaseOrders.ts"

/** What the events of an order are called in its history. */
export const HISTORY_TYPES = {
  PurchaseOrderPlaced: "order.created",
  PurchaseOrderPaid: "order.paid",
  PurchaseOrderFulfilled: "order.fulfilled",
  PurchaseOrderCancelled: "order.cancelled",
  PurchaseOrderPaymentDue: "order.payment_due",
  PurchaseOrderOverdue: "order.overdue"
} as const

const amountOf = (event: PurchaseOrderEvent, { schedule }: PurchaseOrderTerms): Amount | null => {
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return event.terms.total
    case "PurchaseOrderPaid":
      return event.payment.amount
    case "PurchaseOrderPaymentDue":
    case "PurchaseOrderOverdue":
      return schedule.find(({ number }) => number === event.instalment)?.amount ?? null
    default:
      return null
  }
}

/** What the events of an order say to a company that takes part in it. Who another seller is, is not told. */
export const historyAnswers = ({ as, events, order }: SeenHistory) => {
  const { terms } = viewFor(order, as).state
  return eventsFor(events, order, as).map(({ event, isAnothers }, index) => ({
    number: index + 1,
    type: HISTORY_TYPES[event._tag],
    at: event.at,
    user_id: isAnothers ? null : event.userId,
    company_id: isAnothers || event.userId === null ? null : event.companyId,
    amount: amountOf(event, terms),
    installment: "instalment" in event ? event.instalment : null,
    payment_id: event._tag === "PurchaseOrderPaid" ? event.payment.paymentId : null,
    reason: event._tag === "PurchaseOrderCancelled" && !isAnothers ? event.reason : null
  }))
}
