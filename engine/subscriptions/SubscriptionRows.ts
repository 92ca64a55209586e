import type { Aggregate } from "../journal/Aggregate.ts"
import { metadataText } from "../metadata/Metadata.ts"
import { isOf } from "../replay/PlatformEvent.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { after, priceOf, type SubscriptionState, subscriptionStream } from "./Subscription.ts"
import type { SubscriptionEvent } from "./SubscriptionEvent.ts"

const text = (value: number | bigint | null): string | null => (value === null ? null : `${value}`)

/** A row of `subscriptions`, as its last event left it. */
export const subscriptionRow = (state: SubscriptionState, seq: number): StateRow => {
  const { terms } = state
  return {
    table: "subscriptions",
    values: [
      terms.subscriptionId,
      terms.buyer.companyId,
      terms.buyer.userId,
      terms.seller.companyId,
      terms.seller.userId,
      terms.productId,
      `${terms.quantity}`,
      `${terms.unitPrice}`,
      terms.every,
      text(terms.periods),
      `${terms.startAt}`,
      `${state.createdAt}`,
      state.status,
      `${state.paidPeriods}`,
      `${state.failures}`,
      text(state.failedAt),
      text(state.nextAt),
      text(state.endsAt),
      text(state.endedAt),
      state.endReason,
      `${seq}`,
      metadataText(terms.metadata)
    ]
  }
}

/** What happened, under the names of the history. */
const SUBSCRIPTION_ACTS: Readonly<Record<SubscriptionEvent["_tag"], string>> = {
  SubscriptionCreated: "created",
  SubscriptionRenewed: "renewed",
  SubscriptionPaymentFailed: "payment_failed",
  SubscriptionEndSet: "end_set",
  SubscriptionCancelled: "cancelled"
}

/** What the history keeps of an event beside who acted and when. */
const historyOf = (event: SubscriptionEvent) => {
  switch (event._tag) {
    case "SubscriptionCreated":
      return event.charged
        ? { period: 1, amount: priceOf(event.terms), reason: null }
        : { period: null, amount: null, reason: null }
    case "SubscriptionRenewed":
      return { period: event.period, amount: event.amount, reason: null }
    case "SubscriptionPaymentFailed":
      return { period: event.period, amount: event.amount, reason: event.reason }
    case "SubscriptionEndSet":
      return { period: null, amount: null, reason: null }
    case "SubscriptionCancelled":
      return { period: null, amount: null, reason: event.reason }
  }
}

/** A row of `subscription_history`. */
export const historyRow = (event: SubscriptionEvent, seq: number): StateRow => {
  const { amount, period, reason } = historyOf(event)
  const { at, subscriptionId, userId } = event
  return {
    table: "subscription_history",
    values: [
      `${seq}`,
      subscriptionId,
      `${at}`,
      SUBSCRIPTION_ACTS[event._tag],
      userId,
      text(period),
      text(amount),
      reason
    ]
  }
}

/** A subscription and the event that left it like this. */
export interface RecordedSubscription {
  readonly state: SubscriptionState
  readonly last: SubscriptionEvent
  readonly seq: number
}

const isOwn = isOf("subscription")

/** The rows of subscriptions, by the name of their stream, and what happened last in their history. */
export const subscriptions: Aggregate<RecordedSubscription> = {
  of: (event) =>
    isOwn(event)
      ? { name: subscriptionStream(event.subscriptionId), isNew: event._tag === "SubscriptionCreated" }
      : undefined,
  after: (before, { event, seq }) => {
    if (!isOwn(event)) throw new TypeError(`${event._tag} of a subscription`)
    return { state: after(before?.state, event), last: event, seq }
  },
  namesOf: ({ state }) => [subscriptionStream(state.terms.subscriptionId)],
  rows: ({ last, seq, state }) => [subscriptionRow(state, seq), historyRow(last, seq)]
}
