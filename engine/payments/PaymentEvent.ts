import type { AccountId } from "../ledger/Account.ts"
import type { Amount } from "../money/Amount.ts"
import type { PaymentPlan } from "./Payment.ts"

interface OfPayment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly paymentId: string
}

/** Somebody wants to pay an order. Nothing has moved. */
export interface PaymentCreated {
  readonly _tag: "PaymentCreated"
  readonly at: number
  readonly plan: PaymentPlan
}

/** The provider keeps the money for us. */
export interface PaymentAuthorized extends OfPayment {
  readonly _tag: "PaymentAuthorized"
  /** The provider's own name of the charge. */
  readonly reference: string | null
}

/** The provider is to take what it keeps. From here on nothing but its answer decides. */
export interface PaymentCaptureRequested extends OfPayment {
  readonly _tag: "PaymentCaptureRequested"
  /** Who asked; null where it goes on by itself. */
  readonly userId: string | null
  /** The request, by which its repetition is known. */
  readonly requestId: string | null
}

export const VOID_REASONS = ["requested", "order_changed"] as const
export type VoidReason = (typeof VOID_REASONS)[number]

/** The provider is to let go what it keeps. */
export interface PaymentVoidRequested extends OfPayment {
  readonly _tag: "PaymentVoidRequested"
  readonly userId: string | null
  readonly requestId: string | null
  readonly reason: VoidReason
}

/** The money is the payment's own, for the order to take. */
export interface PaymentCaptured extends OfPayment {
  readonly _tag: "PaymentCaptured"
}

/** The provider refused. Nothing was taken. */
export interface PaymentFailed extends OfPayment {
  readonly _tag: "PaymentFailed"
  /** A word such as `insufficient_funds`. */
  readonly reason: string
}

/** The payer can use again what was kept. */
export interface PaymentVoided extends OfPayment {
  readonly _tag: "PaymentVoided"
}

/** The seller that gives something back. */
export interface RefundingSeller {
  readonly userId: string
  readonly companyId: string
  readonly wallet: AccountId
  /** What of the payment the wallet was given: it gives back no more. */
  readonly part: Amount
}

/** Money is set aside to go back to the instrument that paid. */
export interface PaymentRefundRequested extends OfPayment {
  readonly _tag: "PaymentRefundRequested"
  readonly refundId: string
  /** The order that was paid. Events of the first version do not say it. */
  readonly orderId?: string
  readonly amount: Amount
  /** Null where the order does not need the money. */
  readonly seller: RefundingSeller | null
}

/** The money is back. */
export interface PaymentRefunded extends OfPayment {
  readonly _tag: "PaymentRefunded"
  readonly refundId: string
}

/** The provider refused to give it back: it is again where it was taken. */
export interface PaymentRefundFailed extends OfPayment {
  readonly _tag: "PaymentRefundFailed"
  readonly refundId: string
  readonly reason: string
}

/** The payer's bank asks the money back. */
export interface PaymentDisputed extends OfPayment {
  readonly _tag: "PaymentDisputed"
  readonly disputeId: string
  readonly amount: Amount
}

/** The bank let the payment stand. */
export interface PaymentDisputeWon extends OfPayment {
  readonly _tag: "PaymentDisputeWon"
  readonly disputeId: string
}

/** What a seller loses to a dispute. */
export interface DisputeShare {
  readonly companyId: string
  readonly wallet: AccountId
  readonly amount: Amount
}

/** The bank took the money back; what a seller no longer has is a receivable. */
export interface PaymentDisputeLost extends OfPayment {
  readonly _tag: "PaymentDisputeLost"
  readonly disputeId: string
  readonly shares: ReadonlyArray<DisputeShare>
}

export type PaymentEvent =
  | PaymentCreated
  | PaymentAuthorized
  | PaymentCaptureRequested
  | PaymentVoidRequested
  | PaymentCaptured
  | PaymentFailed
  | PaymentVoided
  | PaymentRefundRequested
  | PaymentRefunded
  | PaymentRefundFailed
  | PaymentDisputed
  | PaymentDisputeWon
  | PaymentDisputeLost
