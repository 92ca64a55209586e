import type { Amount } from "../money/Amount.ts"
import type { SubscriptionTerms } from "./Subscription.ts"

/** Why a period could not be charged. */
export const FAILURE_REASONS = ["insufficient_funds", "out_of_stock", "account_not_active"] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Why a subscription was cancelled. */
export const CANCEL_REASONS = ["requested", "period_end", "payment_failed"] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

interface Act {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who acted; null for the platform itself. */
  readonly userId: string | null
  /** The buyer. */
  readonly companyId: string
  readonly subscriptionId: string
}

/** A company subscribes. */
export interface SubscriptionCreated extends Act {
  readonly _tag: "SubscriptionCreated"
  readonly terms: SubscriptionTerms
  /** Whether the first period was charged with it. */
  readonly charged: boolean
  /** When there is something to do next; null where the only period was charged. */
  readonly nextAt: number | null
}

/** A period was charged: the price went to the seller, and the pieces left its stock. */
export interface SubscriptionRenewed extends Act {
  readonly _tag: "SubscriptionRenewed"
  readonly period: number
  readonly amount: Amount
  /** When the next period is due; null after the last. */
  readonly nextAt: number | null
}

/** A period could not be charged. Nothing moved. */
export interface SubscriptionPaymentFailed extends Act {
  readonly _tag: "SubscriptionPaymentFailed"
  readonly period: number
  readonly amount: Amount
  readonly reason: FailureReason
  /** How often this period has failed now. */
  readonly failures: number
  /** When it is tried again; null after the last try, which ends the subscription. */
  readonly retryAt: number | null
}

/** It will end with the period that was paid last. */
export interface SubscriptionEndSet extends Act {
  readonly _tag: "SubscriptionEndSet"
  readonly endsAt: number
}

export interface SubscriptionCancelled extends Act {
  readonly _tag: "SubscriptionCancelled"
  readonly reason: CancelReason
}

export type SubscriptionEvent =
  | SubscriptionCreated
  | SubscriptionRenewed
  | SubscriptionPaymentFailed
  | SubscriptionEndSet
  | SubscriptionCancelled
