import { eventsFor } from "../../engine/commerce/PurchaseOrderView.ts"
import type { SeenHistory } from "./PurchaseOrders.ts"

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
