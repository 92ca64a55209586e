import type { Interval } from "../../../../engine/subscriptions/Period.ts"
import type { SubscriptionStatus } from "../../../../engine/subscriptions/Subscription.ts"
import type { CancelReason } from "../../../../engine/subscriptions/SubscriptionEvent.ts"
import { dayOf } from "../ui/Format.ts"

/** Where a subscription stands. Moments are as the API writes them. */
export interface SubscriptionFacts {
  readonly status: SubscriptionStatus
  readonly paid_periods: number
  readonly periods: number | null
  readonly failures: number
  readonly next_at: string | null
  readonly cancel_at: string | null
  readonly end_reason: CancelReason | null
}

const ENDS: Readonly<Record<CancelReason, string>> = {
  requested: "It was cancelled.",
  period_end: "It was cancelled for the end of a period, which has come.",
  payment_failed: "It was cancelled because a period could not be charged in time."
}

const dayFor = (at: string | null): string => (at === null ? "soon" : `on ${dayOf(at)}`)

/** What becomes of a subscription next, in one sentence. */
export const standingOf = (subscription: SubscriptionFacts): string => {
  const { cancel_at: end, next_at: next, paid_periods: paid, periods, status } = subscription
  switch (status) {
    case "active":
      if (end !== null) return `It ends ${dayFor(end)}. Nothing more is charged.`
      return paid === 0
        ? `The first period is due ${dayFor(next)}.`
        : `Paid up. The next period is due ${dayFor(next)}.`
    case "past_due":
      return `Period ${paid + 1} could not be charged. It is tried again ${dayFor(next)}.`
    case "completed":
      return periods === 1 ? "Its only period is paid." : `All ${periods ?? paid} periods are paid.`
    case "cancelled":
      return subscription.end_reason === null ? "It was cancelled." : ENDS[subscription.end_reason]
  }
}

/** One act of a subscription's history. */
export interface SubscriptionAct {
  readonly event: "created" | "renewed" | "payment_failed" | "end_set" | "cancelled"
  readonly user_id: string | null
  readonly period: number | null
  /** With its currency; null where there is none. */
  readonly amount: string | null
  readonly reason: string | null
}

const FAILURES: Readonly<Record<string, string>> = {
  insufficient_funds: "the USD fund had too little",
  out_of_stock: "the seller had too few pieces left",
  account_not_active: "the account that pays is not active"
}

/** What happened to a subscription, as one sentence. */
export const subscriptionSentence = (act: SubscriptionAct, userId: string): string => {
  const who = act.user_id === null ? "The platform" : act.user_id === userId ? "You" : "Somebody else"
  const period = act.period === null ? "a period" : `period ${act.period}`
  switch (act.event) {
    case "created":
      return `${who} subscribed${act.amount === null ? "" : ` and paid ${act.amount} for the first period`}.`
    case "renewed":
      return act.user_id === null
        ? `Renewed: ${act.amount ?? "the price"} was paid for ${period}.`
        : `${who} paid ${act.amount ?? "the price"} for ${period}.`
    case "payment_failed": {
      const why = act.reason === null ? undefined : (FAILURES[act.reason] ?? act.reason)
      return `${period.charAt(0).toUpperCase()}${period.slice(1)} could not be charged${why === undefined ? "." : `: ${why}.`}`
    }
    case "end_set":
      return `${who} set it to end with the period that is paid.`
    case "cancelled":
      return act.reason === "payment_failed" ? "It was cancelled: the last try failed too." : `${who} cancelled it.`
  }
}

/** What is the trouble of a period that could not be charged, and what to do, by the reason of the newest failure. */
export const remedyOf = (reason: string | null): string => {
  switch (reason) {
    case "insufficient_funds":
      return "Add money to the USD fund that pays, then pay the period now or wait for the next try."
    case "out_of_stock":
      return "The seller has too few pieces left. It is tried again by itself; ask the seller when there are more."
    case "account_not_active":
      return "Money leaves verified accounts only. Have the account verified, then pay the period now."
    default:
      return "It is tried again by itself, and cancelled when the last try fails."
  }
}

/** The most periods of each length that the platform takes. */
export const MOST_PERIODS: Readonly<Record<Interval, number>> = { week: 520, month: 120, year: 10 }

/** How often, as it stands behind a price: `$25.00 a month`. */
export const everyOf = (interval: Interval): string => `a ${interval}`

/** Whether a text is a number of periods that the interval takes; empty for without end. */
export const isPeriods = (text: string, interval: Interval): boolean =>
  text === "" || (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MOST_PERIODS[interval])
