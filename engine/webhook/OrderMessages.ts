import { fulfilmentState, paymentState, purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import type { PurchaseOrderEvent, PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import { begun, type PurchaseRecord, recordOf } from "../commerce/PurchaseRecord.ts"
import { paidDirectly, paymentAccount, type PaymentState } from "../payments/Payment.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { type Draft, type Drafts, drafted, type History, reading, toEach } from "./History.ts"
import { companiesOf, orderObject } from "./OrderObject.ts"
import { paymentObject } from "./PaymentObject.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** The order that a stream's events make; undefined where they make none. */
export const orderIn = (events: ReadonlyArray<PlatformEvent>): PurchaseRecord | undefined =>
  recordOf(events as ReadonlyArray<PurchaseOrderEvent>)

/** The payments that a wallet made at once: they are recorded in their order's events alone. */
const directPayments = (events: ReadonlyArray<PlatformEvent>): ReadonlyArray<PurchaseOrderPaid> =>
  events.filter(
    (event): event is PurchaseOrderPaid =>
      event._tag === "PurchaseOrderPaid" && event.payment.from !== paymentAccount(event.payment.paymentId)
  )

const directState = ({ at, companyId, orderId, payment, userId }: PurchaseOrderPaid): PaymentState =>
  paidDirectly(orderId, { userId, companyId }, payment, at)

const ordered = (type: WebhookEventType, order: PurchaseRecord): ReadonlyArray<Draft> =>
  toEach(companiesOf(order.state), type, (companyId) => orderObject(order, companyId))

const paymentsOf = (
  event: PurchaseOrderEvent,
  order: PurchaseRecord,
  events: ReadonlyArray<PlatformEvent>
): ReadonlyArray<Draft> => {
  const companies = companiesOf(order.state)
  if (event._tag === "PurchaseOrderPaid") {
    return directPayments([event]).flatMap((paid) =>
      toEach(companies, "payment.captured", () => paymentObject(directState(paid), paid.at))
    )
  }
  if (event._tag !== "PurchaseOrderCancelled") return []
  return directPayments(events).flatMap((paid) =>
    toEach(companies, "payment.refunded", () => paymentObject({ ...directState(paid), isReturned: true }, event.at))
  )
}

/** Which of an order's types an event is, once it has happened. */
const typeOf = (event: PurchaseOrderEvent, { state }: PurchaseRecord): WebhookEventType => {
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return "order.created"
    case "PurchaseOrderPaid":
      return paymentState(state) === "paid" ? "order.paid" : "order.updated"
    case "PurchaseOrderFulfilled":
      return fulfilmentState(state) === "fulfilled" ? "order.fulfilled" : "order.updated"
    case "PurchaseOrderCancelled":
      return "order.cancelled"
  }
}

/** What is told of an order's event: to its buyer and to each seller, and of the payments that wallets make at once. */
export const orderMessages = (event: PurchaseOrderEvent, history: History): Drafts => {
  if (event._tag === "PurchaseOrderPlaced") return drafted(ordered("order.created", begun(event)))
  return reading(history, purchaseOrderStream(event.orderId), (events) => {
    const order = orderIn(events)
    return drafted(
      order === undefined ? [] : [...ordered(typeOf(event, order), order), ...paymentsOf(event, order, events)]
    )
  })
}
