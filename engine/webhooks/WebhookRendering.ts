import type { Recorded } from "../actor/Journal.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { companyMessages, COMPANY_TYPES } from "./CompanyMessages.ts"
import { creditMessages } from "./CreditMessages.ts"
import { endpointMessages } from "./EndpointMessages.ts"
import { type Drafts, drafted, type History } from "./History.ts"
import { orderMessages } from "./PurchaseOrderMessages.ts"
import { companiesOf } from "../commerce/OrderObject.ts"
import { PAYMENT_TYPES, paymentMessages } from "./PaymentMessages.ts"
import { SUBSCRIPTION_TYPES, subscriptionMessages } from "./SubscriptionMessages.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import { webhookEventId } from "./WebhookId.ts"
import type { WebhookMessage } from "./WebhookMessage.ts"

/** What companies are told of an event, or the stream that has to be read first. */
export type Rendering =
  | { readonly _tag: "Rendered"; readonly messages: ReadonlyArray<WebhookMessage> }
  | { readonly _tag: "Needs"; readonly stream: string }

type Tag = PlatformEvent["_tag"]

const one = (
  types: Readonly<Record<string, WebhookEventType>>
): Partial<Record<Tag, ReadonlyArray<WebhookEventType>>> =>
  Object.fromEntries(Object.entries(types).map(([tag, type]) => [tag, [type]]))

/** The types that an event of each kind may be told as; of the others nobody is told. */
export const TYPES_OF: { readonly [T in Tag]?: ReadonlyArray<WebhookEventType> } = {
  PurchaseOrderPlaced: ["order.created"],
  PurchaseOrderPaid: ["order.paid", "order.updated", "payment.captured"],
  PurchaseOrderFulfilled: ["order.fulfilled", "order.updated"],
  PurchaseOrderCancelled: ["order.cancelled", "payment.refunded"],
  PurchaseOrderPaymentDue: ["order.payment_due"],
  PurchaseOrderOverdue: ["order.overdue"],
  ...one(PAYMENT_TYPES),
  ...one(SUBSCRIPTION_TYPES),
  ...COMPANY_TYPES,
  CreditAssessed: ["credit.score_updated", "credit.limit_changed"],
  WebhookDisabled: ["webhook.disabled"]
}

/** The types that an event may be told as; none where nobody is told of it. Cheap enough for every event. */
export const typesOf = ({ _tag }: PlatformEvent): ReadonlyArray<WebhookEventType> => TYPES_OF[_tag] ?? []

/** The companies that an event is told to, as far as it says them itself; undefined where a stream has to be read. */
export const companiesToldOf = (event: PlatformEvent): ReadonlyArray<string> | undefined => {
  switch (event._tag) {
    case "PurchaseOrderPlaced":
      return companiesOf(event)
    case "SubscriptionCreated":
      return [...new Set([event.terms.buyer.companyId, event.terms.seller.companyId])]
    case "CompanyCreated":
    case "CompanyRegistered":
    case "CompanyUpdated":
    case "CompanyPlanSet":
    case "CompanyVerified":
    case "CreditAssessed":
    case "WebhookDisabled":
      return [event.companyId]
    default:
      return undefined
  }
}

const draftsOf = (event: PlatformEvent, history: History): Drafts => {
  switch (event._tag) {
    case "PurchaseOrderPlaced":
    case "PurchaseOrderPaid":
    case "PurchaseOrderFulfilled":
    case "PurchaseOrderCancelled":
    case "PurchaseOrderPaymentDue":
    case "PurchaseOrderOverdue":
      return orderMessages(event, history)
    case "PaymentAuthorized":
    case "PaymentCaptured":
    case "PaymentRefunded":
    case "PaymentFailed":
      return paymentMessages(event, history)
    case "SubscriptionCreated":
    case "SubscriptionRenewed":
    case "SubscriptionPaymentFailed":
    case "SubscriptionCancelled":
      return subscriptionMessages(event, history)
    case "CompanyCreated":
    case "CompanyRegistered":
    case "CompanyUpdated":
    case "CompanyPlanSet":
    case "CompanyVerified":
      return companyMessages(event)
    case "CreditAssessed":
      return creditMessages(event, history)
    case "WebhookDisabled":
      return endpointMessages(event, history)
    default:
      return drafted([])
  }
}

/**
 * What companies are told of a recorded event. Where it answers `Needs`, read that stream's events up to and with this
 * one's `seq`, put them into the history and ask again: at most {@link MOST_STREAMS} times for one event.
 *
 * A message is for the company that it names and for the one that manages it. Its object is as the event left it, and
 * its id the same whenever it is rendered.
 */
export const render = (
  { event, hash }: Pick<Recorded<PlatformEvent>, "event" | "hash">,
  history: History = new Map()
): Rendering => {
  const result = draftsOf(event, history)
  if (result._tag === "Needs") return result
  const messages = result.drafts.map((draft, index) => ({
    ...draft,
    id: webhookEventId(hash, index),
    createdAt: event.at
  }))
  return { _tag: "Rendered", messages }
}

/** The most streams that are read for one event: a payment's and its order's. */
export const MOST_STREAMS = 2
