import { purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import { paymentStream } from "../payments/Payment.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import { shareOf } from "../payments/PaymentShare.ts"
import { type Draft, type Drafts, drafted, type History, reading } from "./History.ts"
import { orderIn } from "./PurchaseOrderMessages.ts"
import { paymentIn, toBuyer, type ToldPayment, toSellers } from "./PaymentDrafts.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** Of a payment's events, those that somebody is told of. */
export const PAYMENT_TYPES: { readonly [T in PaymentEvent["_tag"]]?: WebhookEventType } = {
  PaymentAuthorized: "payment.authorized",
  PaymentCaptured: "payment.captured",
  PaymentRefunded: "payment.refunded",
  PaymentFailed: "payment.failed"
}

/** The order that a payment is for: its plan says it, or the first refund of what a wallet paid at once. */
const orderIdOf = (events: ReadonlyArray<PaymentEvent>): string | undefined => {
  const [first] = events
  if (first?._tag === "PaymentCreated") return first.plan.orderId
  return first?._tag === "PaymentRefundRequested" ? first.orderId : undefined
}

/** A refund is told to the seller that gave it, or to all of whose shares it is the way back. */
const refunded = (refundId: string, payment: ToldPayment, order: PurchaseRecord): ReadonlyArray<Draft> =>
  toSellers(
    "payment.refunded",
    payment,
    order,
    (companyId) => shareOf(payment.state, order, companyId)?.state.refunds.has(refundId) === true
  )

/**
 * What is told of a payment's event: to its order's buyer, and of a refund to the sellers that it concerns. What a provider
 * keeps, takes or refuses is not theirs as long as the order has nothing of it.
 */
export const paymentMessages = (event: PaymentEvent, history: History): Drafts => {
  const type = PAYMENT_TYPES[event._tag]
  if (type === undefined || event._tag === "PaymentCreated") return drafted([])
  const { paymentId } = event
  return reading(history, paymentStream(paymentId), (events) => {
    const own = events as ReadonlyArray<PaymentEvent>
    const orderId = orderIdOf(own)
    if (orderId === undefined) return drafted([])
    return reading(history, purchaseOrderStream(orderId), (ofOrder) => {
      const order = orderIn(ofOrder)
      const payment = paymentIn(paymentId, own, ofOrder)
      if (order === undefined || payment === undefined) return drafted([])
      const sellers = event._tag === "PaymentRefunded" ? refunded(event.refundId, payment, order) : []
      return drafted([...toBuyer(type, payment, order), ...sellers])
    })
  })
}
