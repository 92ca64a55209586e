import type { Amount } from "../../engine/money/Amount.ts"
import { priceOf, type SubscriptionState } from "../../engine/subscriptions/Subscription.ts"

/** What happened to a subscription. Times are milliseconds since 1970. */
export interface SubscriptionAct {
  /** Its place in all events. */
  readonly seq: number
  readonly at: number
  readonly event: "created" | "renewed" | "payment_failed" | "end_set" | "cancelled"
  readonly userId: string | null
  readonly period: number | null
  readonly amount: Amount | null
  readonly reason: string | null
}

/** A subscription under the names of the contract. */
export const subscriptionAnswer = (state: SubscriptionState) => {
  const { terms } = state
  return {
    id: terms.subscriptionId,
    company_id: terms.buyer.companyId,
    user_id: terms.buyer.userId,
    seller_company_id: terms.seller.companyId,
    product_id: terms.productId,
    quantity: terms.quantity,
    unit_price: terms.unitPrice,
    price: priceOf(terms),
    currency: "USD" as const,
    interval: terms.every,
    periods: terms.periods,
    start: terms.startAt,
    status: state.status,
    paid_periods: state.paidPeriods,
    failures: state.failures,
    next_at: state.nextAt,
    cancel_at: state.endsAt,
    ended_at: state.endedAt,
    end_reason: state.endReason,
    metadata: terms.metadata ?? {},
    created_at: state.createdAt
  }
}

/** A line of the history under the names of the contract. */
export const actAnswer = ({ amount, at, event, period, reason, seq, userId }: SubscriptionAct) => ({
  sequence: seq,
  at,
  event,
  user_id: userId,
  period,
  amount,
  reason
})
