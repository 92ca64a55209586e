import type { Recorded } from "../actor/Journal.ts"
import { add, type Columns, set, type TableRow } from "../journal/TableRow.ts"
import type { StateRow } from "../replay/StateTable.ts"
import { after, priceOf, type SubscriptionState } from "./Subscription.ts"
import type { SubscriptionCreated, SubscriptionEvent } from "./SubscriptionEvent.ts"

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

/** What an event after the first leaves in the subscription's row. */
const changesOf = (event: Exclude<SubscriptionEvent, SubscriptionCreated>): Columns => {
  switch (event._tag) {
    case "SubscriptionRenewed": {
      const { at, nextAt, period } = event
      const paid = { paid_periods: `${period}`, failures: "0", failed_at: null, next_at: text(nextAt) }
      return nextAt === null ? { ...paid, status: "completed", ended_at: `${at}` } : { ...paid, status: "active" }
    }
    case "SubscriptionPaymentFailed": {
      const { at, failures, retryAt } = event
      const failed = { status: "past_due", failures: `${failures}`, next_at: `${retryAt ?? at}` }
      return failures === 1 ? { ...failed, failed_at: `${at}` } : failed
    }
    case "SubscriptionEndSet":
      return { ends_at: `${event.endsAt}`, next_at: `${event.endsAt}` }
    case "SubscriptionCancelled":
      return { status: "cancelled", next_at: null, ended_at: `${event.at}`, end_reason: event.reason }
  }
}

/** A subscription after an event, and that event in its history. */
export const subscriptionRows = ({ event, seq }: Recorded<SubscriptionEvent>): ReadonlyArray<TableRow> => [
  event._tag === "SubscriptionCreated"
    ? add(subscriptionRow(after(undefined, event), seq))
    : set("subscriptions", event.subscriptionId, { ...changesOf(event), event_seq: `${seq}` }),
  add(historyRow(event, seq))
]
