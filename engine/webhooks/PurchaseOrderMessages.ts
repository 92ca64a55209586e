import { fulfilmentState, paymentState, purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent, PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import { viewFor } from "../commerce/PurchaseOrderView.ts"
import { begun, type PurchaseRecord, recordOf } from "../commerce/PurchaseRecord.ts"
import { ZERO } from "../money/Amount.ts"
import { paymentAccount, paymentStream } from "../payments/Payment.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { type Draft, type Drafts, drafted, type History, reading } from "./History.ts"
import { companiesOf, orderObject } from "../commerce/OrderObject.ts"
import { paymentIn, toBuyer, toSellers } from "./PaymentDrafts.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** The order that a stream's events make; undefined where they make none. */
export const orderIn = (events: ReadonlyArray<PlatformEvent>): PurchaseRecord | undefined =>
  recordOf(events as ReadonlyArray<PurchaseOrderEvent>)

/** Whether a wallet made a payment at once: it is recorded in its order's events alone. */
const isDirect = ({ payment }: PurchaseOrderPaid): boolean => payment.from !== paymentAccount(payment.paymentId)

const directPayments = (events: ReadonlyArray<PlatformEvent>): ReadonlyArray<PurchaseOrderPaid> =>
  events.filter((event): event is PurchaseOrderPaid => event._tag === "PurchaseOrderPaid" && isDirect(event))

const buyerOf = ({ state }: PurchaseRecord): string => state.terms.buyer.companyId

/** Whether a company has a part of an instalment. */
const hasPart = (order: PurchaseRecord, companyId: string, instalment: number): boolean =>
  viewFor(order, companyId).state.terms.schedule.some(({ amount, number }) => number === instalment && amount > ZERO)

/**
 * The companies that hear of an order's event: of a delivery its buyer and who delivered, of a reminder its buyer, of what is
 * overdue its buyer and who has a part of that, of the rest all.
 */
const hearersOf = (event: PurchaseOrderEvent, order: PurchaseRecord): ReadonlyArray<string> => {
  switch (event._tag) {
    case "PurchaseOrderFulfilled":
      return [buyerOf(order), event.companyId]
    case "PurchaseOrderPaymentDue":
      return [buyerOf(order)]
    case "PurchaseOrderOverdue":
      return companiesOf(order.state).filter((companyId) => hasPart(order, companyId, event.instalment))
    default:
      return companiesOf(order.state)
  }
}

/** Which of an order's types an event is to a company, once it has happened. A seller's part is delivered by itself. */
const typeOf = (event: PurchaseOrderEvent, order: PurchaseRecord, companyId: string): WebhookEventType => {
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return "order.created"
    case "PurchaseOrderPaid":
      return paymentState(order.state) === "paid" ? "order.paid" : "order.updated"
    case "PurchaseOrderFulfilled":
      return companyId !== buyerOf(order) || fulfilmentState(order.state) === "fulfilled"
        ? "order.fulfilled"
        : "order.updated"
    case "PurchaseOrderCancelled":
      return "order.cancelled"
    case "PurchaseOrderPaymentDue":
      return "order.payment_due"
    case "PurchaseOrderOverdue":
      return "order.overdue"
  }
}

const ordered = (event: PurchaseOrderEvent, order: PurchaseRecord): ReadonlyArray<Draft> =>
  hearersOf(event, order).map((companyId) => ({
    type: typeOf(event, order, companyId),
    companyId,
    object: () => orderObject(order, companyId)
  }))

/** What is told of the payments that wallets made at once, with their order's event. */
const direct = (
  event: PurchaseOrderEvent,
  order: PurchaseRecord,
  events: ReadonlyArray<PlatformEvent>
): ReadonlyArray<Draft> => {
  const type = event._tag === "PurchaseOrderPaid" ? "payment.captured" : "payment.refunded"
  const told = event._tag === "PurchaseOrderPaid" ? [event] : event._tag === "PurchaseOrderCancelled" ? events : []
  return directPayments(told).flatMap(({ payment: { paymentId } }) => {
    const payment = paymentIn(paymentId, [], events)
    return payment === undefined ? [] : [...toBuyer(type, payment, order), ...toSellers(type, payment, order)]
  })
}

/** A provider's payment is a seller's once the order has it. */
const taken = (
  { payment: { paymentId } }: PurchaseOrderPaid,
  order: PurchaseRecord,
  events: ReadonlyArray<PlatformEvent>,
  history: History
): Drafts =>
  reading(history, paymentStream(paymentId), (own) => {
    const payment = own.length === 0 ? undefined : paymentIn(paymentId, own as ReadonlyArray<PaymentEvent>, events)
    return drafted(payment === undefined ? [] : toSellers("payment.captured", payment, order))
  })

const after = (before: ReadonlyArray<Draft>, then: Drafts): Drafts =>
  then._tag === "Needs" ? then : drafted([...before, ...then.drafts])

/** What is told of an order's event: to its buyer and to each seller of its own part, and of what it was paid. */
export const orderMessages = (event: PurchaseOrderEvent, history: History): Drafts => {
  if (event._tag === "PurchaseOrderPlaced") return drafted(ordered(event, begun(event)))
  return reading(history, purchaseOrderStream(event.orderId), (events) => {
    const order = orderIn(events)
    if (order === undefined) return drafted([])
    const drafts = [...ordered(event, order), ...direct(event, order, events)]
    const isTaken = event._tag === "PurchaseOrderPaid" && !isDirect(event)
    return isTaken ? after(drafts, taken(event, order, events, history)) : drafted(drafts)
  })
}
