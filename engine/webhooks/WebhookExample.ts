import { purchaseOrderStream } from "../commerce/PurchaseOrder.ts"
import { creditStream } from "../credit/CreditStanding.ts"
import { paymentStream } from "../payments/Payment.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { subscriptionStream } from "../subscriptions/Subscription.ts"
import { EXAMPLE_EVENTS, type ExampleHistory } from "./ExampleEvents.ts"
import type { EndpointObject } from "./EndpointObject.ts"
import type { History } from "./History.ts"
import { webhookStream } from "./Webhook.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"
import type { WebhookMessage } from "./WebhookMessage.ts"
import { render } from "./WebhookRendering.ts"

/** The hash that an example's id comes from; no recorded event has it. */
const HASH = "0".repeat(64)

const streamOf = (event: PlatformEvent): string => {
  switch (event._tag) {
    case "PurchaseOrderPaid":
    case "PurchaseOrderFulfilled":
    case "PurchaseOrderCancelled":
    case "PurchaseOrderPaymentDue":
    case "PurchaseOrderOverdue":
      return purchaseOrderStream(event.orderId)
    case "CreditAssessed":
      return creditStream(event.companyId)
    default:
      if ("paymentId" in event) return paymentStream(event.paymentId)
      if ("subscriptionId" in event) return subscriptionStream(event.subscriptionId)
      return "webhookId" in event ? webhookStream(event.webhookId) : ""
  }
}

const orderStreamOf = ([placed]: ReadonlyArray<PlatformEvent>): ReadonlyArray<string> =>
  placed?._tag === "PurchaseOrderPlaced" ? [purchaseOrderStream(placed.terms.orderId)] : []

const historyOf = (told: PlatformEvent, { events, order = [] }: ExampleHistory): History =>
  new Map([[streamOf(told), events], ...orderStreamOf(order).map((stream) => [stream, order] as const)])

/** The messages of an event; streams that the example does not have are empty. */
const rendered = (event: PlatformEvent, history: History): ReadonlyArray<WebhookMessage> => {
  const rendering = render({ event, hash: HASH }, history)
  return rendering._tag === "Rendered"
    ? rendering.messages
    : rendered(event, new Map([...history, [rendering.stream, []]]))
}

const told = (type: WebhookEventType, example: ExampleHistory): WebhookMessage => {
  const event = example.events.at(-1)
  if (event === undefined) throw new TypeError(`there is no example of ${type}`)
  const found = rendered(event, historyOf(event, example)).find((message) => message.type === type)
  if (found === undefined) throw new TypeError(`the example of ${type} is none`)
  return found
}

/** An endpoint that is tried out. */
const tried: EndpointObject = {
  ...(told("webhook.disabled", EXAMPLE_EVENTS["webhook.disabled"]).object() as EndpointObject),
  status: "enabled",
  disabled_cause: null
}

const test = (): WebhookMessage => ({
  ...told("webhook.disabled", EXAMPLE_EVENTS["webhook.disabled"]),
  type: "webhook.test",
  object: () => tried
})

/**
 * What an event of a type looks like, made as real ones are, of things that do not exist.
 *
 * @param id - a new `evt_…` for one that is sent, so that receivers that know ids take it
 */
export const exampleOf = (type: WebhookEventType, id?: string, createdAt?: number): WebhookMessage => {
  const example = type === "webhook.test" ? test() : told(type, EXAMPLE_EVENTS[type])
  return { ...example, id: id ?? example.id, createdAt: createdAt ?? example.createdAt }
}
