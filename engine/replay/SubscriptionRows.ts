import type { SubscriptionState } from "../subscriptions/Subscription.ts"
import { priceOf } from "../subscriptions/Subscription.ts"
import type { SubscriptionEvent } from "../subscriptions/SubscriptionEvent.ts"
import type { StateRow } from "./StateTable.ts"

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
      `${seq}`
    ]
  }
}

/** What happened, under the names of the history. */
export const SUBSCRIPTION_ACTS: Readonly<Record<SubscriptionEvent["_tag"], string>> = {
  SubscriptionCreated: "created",
  SubscriptionRenewed: "renewed",
  SubscriptionPaymentFailed: "payment_failed",
  SubscriptionEndSet: "end_set",
  SubscriptionCancelled: "cancelled"
}

/** What the history keeps of an event beside who acted and when. */
export const historyOf = (event: SubscriptionEvent) => {
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
