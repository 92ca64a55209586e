import type { Amount } from "../../engine/money/Amount.ts"

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
