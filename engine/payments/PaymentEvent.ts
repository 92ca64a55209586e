import { Schema } from "effect"
import { AccountId } from "../ledger/Account.ts"
import { Amount } from "../money/Amount.ts"
import { PaymentPlan } from "./PaymentPlan.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

const ofPayment = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  paymentId: Schema.String
}

/** Somebody wants to pay an order. Nothing has moved. */
export const PaymentCreated = Schema.TaggedStruct("PaymentCreated", {
  at: Schema.Int,
  plan: PaymentPlan
})
export type PaymentCreated = typeof PaymentCreated.Type

/** The provider keeps the money for us. */
export const PaymentAuthorized = Schema.TaggedStruct("PaymentAuthorized", {
  ...ofPayment,
  /** The provider's own name of the charge. */
  reference: Schema.NullOr(Schema.String)
})
export type PaymentAuthorized = typeof PaymentAuthorized.Type

/** The provider is to take what it keeps. From here on nothing but its answer decides. */
export const PaymentCaptureRequested = Schema.TaggedStruct("PaymentCaptureRequested", {
  ...ofPayment,
  /** Who asked; null where it goes on by itself. */
  userId: Schema.NullOr(Schema.String),
  /** The request, by which its repetition is known. */
  requestId: Schema.NullOr(Schema.String)
})
export type PaymentCaptureRequested = typeof PaymentCaptureRequested.Type

export const VOID_REASONS = ["requested", "order_changed"] as const
export type VoidReason = (typeof VOID_REASONS)[number]

/** The provider is to let go what it keeps. */
export const PaymentVoidRequested = Schema.TaggedStruct("PaymentVoidRequested", {
  ...ofPayment,
  userId: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  reason: Schema.Literals(VOID_REASONS)
})
export type PaymentVoidRequested = typeof PaymentVoidRequested.Type

/** The money is the payment's own, for the order to take. */
export const PaymentCaptured = Schema.TaggedStruct("PaymentCaptured", ofPayment)
export type PaymentCaptured = typeof PaymentCaptured.Type

/** The provider refused. Nothing was taken. */
export const PaymentFailed = Schema.TaggedStruct("PaymentFailed", {
  ...ofPayment,
  /** A word such as `insufficient_funds`. */
  reason: Schema.String
})
export type PaymentFailed = typeof PaymentFailed.Type

/** The payer can use again what was kept. */
export const PaymentVoided = Schema.TaggedStruct("PaymentVoided", ofPayment)
export type PaymentVoided = typeof PaymentVoided.Type

/** The seller that gives something back. */
export const RefundingSeller = Schema.Struct({
  userId: Schema.String,
  companyId: Schema.String,
  wallet: AccountId,
  /** What of the payment the wallet was given: it gives back no more. */
  part: Amount
})
export type RefundingSeller = typeof RefundingSeller.Type

/** Money is set aside to go back to the instrument that paid. */
export const PaymentRefundRequested = Schema.TaggedStruct("PaymentRefundRequested", {
  ...ofPayment,
  refundId: Schema.String,
  /** The order that was paid. Events of the first version do not say it. */
  orderId: Schema.optionalKey(Schema.String),
  amount: Amount,
  /** Null where the order does not need the money. */
  seller: Schema.NullOr(RefundingSeller)
})
export type PaymentRefundRequested = typeof PaymentRefundRequested.Type

/** The money is back. */
export const PaymentRefunded = Schema.TaggedStruct("PaymentRefunded", {
  ...ofPayment,
  refundId: Schema.String
})
export type PaymentRefunded = typeof PaymentRefunded.Type

/** The provider refused to give it back: it is again where it was taken. */
export const PaymentRefundFailed = Schema.TaggedStruct("PaymentRefundFailed", {
  ...ofPayment,
  refundId: Schema.String,
  reason: Schema.String
})
export type PaymentRefundFailed = typeof PaymentRefundFailed.Type

/** The payer's bank asks the money back. */
export const PaymentDisputed = Schema.TaggedStruct("PaymentDisputed", {
  ...ofPayment,
  disputeId: Schema.String,
  amount: Amount
})
export type PaymentDisputed = typeof PaymentDisputed.Type

/** The bank let the payment stand. */
export const PaymentDisputeWon = Schema.TaggedStruct("PaymentDisputeWon", {
  ...ofPayment,
  disputeId: Schema.String
})
export type PaymentDisputeWon = typeof PaymentDisputeWon.Type

/** What a seller loses to a dispute. */
export const DisputeShare = Schema.Struct({
  companyId: Schema.String,
  wallet: AccountId,
  amount: Amount
})
export type DisputeShare = typeof DisputeShare.Type

/** The bank took the money back; what a seller no longer has is a receivable. */
export const PaymentDisputeLost = Schema.TaggedStruct("PaymentDisputeLost", {
  ...ofPayment,
  disputeId: Schema.String,
  shares: Schema.Array(DisputeShare)
})
export type PaymentDisputeLost = typeof PaymentDisputeLost.Type

export const PaymentEvent = Schema.Union([
  PaymentCreated,
  PaymentAuthorized,
  PaymentCaptureRequested,
  PaymentVoidRequested,
  PaymentCaptured,
  PaymentFailed,
  PaymentVoided,
  PaymentRefundRequested,
  PaymentRefunded,
  PaymentRefundFailed,
  PaymentDisputed,
  PaymentDisputeWon,
  PaymentDisputeLost
])
export type PaymentEvent = typeof PaymentEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodePaymentEvent = eventDecoder(PaymentEvent)
