import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { SubscriptionTerms } from "./SubscriptionTerms.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Why a period could not be charged. */
export const FAILURE_REASONS = ["insufficient_funds", "out_of_stock", "account_not_active"] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Why a subscription was cancelled. */
export const CANCEL_REASONS = ["requested", "period_end", "payment_failed"] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

const act = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  /** Who acted; null for the platform itself. */
  userId: Schema.NullOr(Schema.String),
  /** The buyer. */
  companyId: Schema.String,
  subscriptionId: Schema.String
}

/** A company subscribes. */
export const SubscriptionCreated = Schema.TaggedStruct("SubscriptionCreated", {
  ...act,
  terms: SubscriptionTerms,
  /** Whether the first period was charged with it. */
  charged: Schema.Boolean,
  /** When there is something to do next; null where the only period was charged. */
  nextAt: Schema.NullOr(Schema.Int)
})
export type SubscriptionCreated = typeof SubscriptionCreated.Type

/** A period was charged: the price went to the seller, and the pieces left its stock. */
export const SubscriptionRenewed = Schema.TaggedStruct("SubscriptionRenewed", {
  ...act,
  period: Schema.Int,
  amount: Amount,
  /** When the next period is due; null after the last. */
  nextAt: Schema.NullOr(Schema.Int)
})
export type SubscriptionRenewed = typeof SubscriptionRenewed.Type

/** A period could not be charged. Nothing moved. */
export const SubscriptionPaymentFailed = Schema.TaggedStruct("SubscriptionPaymentFailed", {
  ...act,
  period: Schema.Int,
  amount: Amount,
  reason: Schema.Literals(FAILURE_REASONS),
  /** How often this period has failed now. */
  failures: Schema.Int,
  /** When it is tried again; null after the last try, which ends the subscription. */
  retryAt: Schema.NullOr(Schema.Int)
})
export type SubscriptionPaymentFailed = typeof SubscriptionPaymentFailed.Type

/** It will end with the period that was paid last. */
export const SubscriptionEndSet = Schema.TaggedStruct("SubscriptionEndSet", {
  ...act,
  endsAt: Schema.Int
})
export type SubscriptionEndSet = typeof SubscriptionEndSet.Type

export const SubscriptionCancelled = Schema.TaggedStruct("SubscriptionCancelled", {
  ...act,
  reason: Schema.Literals(CANCEL_REASONS)
})
export type SubscriptionCancelled = typeof SubscriptionCancelled.Type

export const SubscriptionEvent = Schema.Union([
  SubscriptionCreated,
  SubscriptionRenewed,
  SubscriptionPaymentFailed,
  SubscriptionEndSet,
  SubscriptionCancelled
])
export type SubscriptionEvent = typeof SubscriptionEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeSubscriptionEvent = eventDecoder(SubscriptionEvent)
