import { after, type SubscriptionState, subscriptionStream } from "../subscriptions/Subscription.ts"
import type { SubscriptionEvent } from "../subscriptions/SubscriptionEvent.ts"
import { type Drafts, drafted, type History, reading, toEach } from "./History.ts"
import { subscriptionObject } from "../subscriptions/SubscriptionObject.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** Of a subscription's events, those that somebody is told of. */
export const SUBSCRIPTION_TYPES: { readonly [T in SubscriptionEvent["_tag"]]?: WebhookEventType } = {
  SubscriptionCreated: "subscription.created",
  SubscriptionRenewed: "subscription.renewed",
  SubscriptionPaymentFailed: "subscription.payment_failed",
  SubscriptionCancelled: "subscription.cancelled"
}

const subscriptionIn = (events: ReadonlyArray<SubscriptionEvent>): SubscriptionState | undefined =>
  events[0]?._tag === "SubscriptionCreated"
    ? events.reduce<SubscriptionState | undefined>((state, event) => after(state, event), undefined)
    : undefined

/** What is told of a subscription's event: to its buyer and its seller. */
export const subscriptionMessages = (event: SubscriptionEvent, history: History): Drafts => {
  const type = SUBSCRIPTION_TYPES[event._tag]
  if (type === undefined) return drafted([])
  const told = (events: ReadonlyArray<SubscriptionEvent>): Drafts => {
    const state = subscriptionIn(events)
    if (state === undefined) return drafted([])
    const { buyer, seller } = state.terms
    const companies = [...new Set([buyer.companyId, seller.companyId])]
    return drafted(toEach(companies, type, () => subscriptionObject(state)))
  }
  if (event._tag === "SubscriptionCreated") return told([event])
  const stream = subscriptionStream(event.subscriptionId)
  return reading(history, stream, (events) => told(events as ReadonlyArray<SubscriptionEvent>))
}
