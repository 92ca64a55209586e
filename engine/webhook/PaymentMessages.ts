import { purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import type { PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import { created, evolve, paidDirectly, paymentStream, type PaymentState } from "../payments/Payment.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { type Drafts, drafted, type History, reading, toEach } from "./History.ts"
import { orderIn } from "./OrderMessages.ts"
import { companiesOf } from "./OrderObject.ts"
import { paymentObject } from "./PaymentObject.ts"
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

const isPaymentOf = (event: PlatformEvent, paymentId: string): event is PurchaseOrderPaid =>
  event._tag === "PurchaseOrderPaid" && event.payment.paymentId === paymentId

const begunBy = (first: PaymentEvent | undefined, paid: PurchaseOrderPaid | undefined): PaymentState | undefined => {
  if (first?._tag === "PaymentCreated") return created(first.plan, first.at)
  if (paid === undefined) return undefined
  const { at, companyId, orderId, payment, userId } = paid
  return paidDirectly(orderId, { userId, companyId }, payment, at)
}

/** A payment as its own events and its order's make it, and when it changed last. */
const paymentIn = (paymentId: string, own: ReadonlyArray<PaymentEvent>, ofOrder: ReadonlyArray<PlatformEvent>) => {
  const paid = ofOrder.find((event) => isPaymentOf(event, paymentId))
  const state = begunBy(own[0], paid)
  if (state === undefined) return undefined
  for (const event of state.isDirect ? own : own.slice(1)) evolve(state, event)
  const cancelled = ofOrder.find(({ _tag }) => _tag === "PurchaseOrderCancelled")
  state.taken = paid === undefined ? null : paid.payment.amount
  state.isReturned = paid !== undefined && cancelled !== undefined
  const times = [...own, paid, state.isReturned ? cancelled : undefined].map((event) => event?.at ?? 0)
  return { state, updatedAt: times.reduce((latest, at) => (at > latest ? at : latest), 0) }
}

/** What is told of a payment's event: to its order's buyer and to each of its sellers. */
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
      const companies = companiesOf(order.state)
      return drafted(toEach(companies, type, () => paymentObject(payment.state, payment.updatedAt)))
    })
  })
}
