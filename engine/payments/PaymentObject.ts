import { Schema } from "effect"
import { Metadata } from "../metadata/Metadata.ts"
import { type Amount, toNumber } from "../money/Amount.ts"
import { Time, timeText, Usd } from "../wire/WireValue.ts"
import {
  appliedOf,
  capturedOf,
  PAYMENT_STATUSES,
  type PaymentStage,
  type PaymentState,
  publicStatus,
  type Refund,
  refundedOf,
  refundingOf
} from "./Payment.ts"
import { CAPTURE_MODES, EXTENTS, PAYMENT_PROVIDERS, type PaymentPlan } from "./PaymentPlan.ts"

const RefundObject = Schema.Struct({
  id: Schema.String,
  amount: Usd,
  status: Schema.Literals(["pending", "succeeded", "failed"]),
  reason: Schema.Literals(["seller", "unneeded"]).annotate({
    description: "`seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise."
  }),
  seller_company_id: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(Schema.String),
  attempts: Schema.Int.annotate({
    description: "How often it was asked for: an `unneeded` one that is declined is tried again, once a day at last."
  }),
  created_at: Time
}).annotate({ identifier: "PaymentRefund" })

/** A payment as `GET /v1/payments/{id}` answers it and a webhook tells of it. */
export const PaymentObject = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("payment"),
  order_id: Schema.String,
  payer: Schema.String.annotate({ description: "The user who pays." }),
  company_id: Schema.String.annotate({ description: "The company that pays." }),
  provider: Schema.Literals(PAYMENT_PROVIDERS),
  instrument: Schema.NullOr(Schema.String).annotate({
    description:
      "To the buyer the test card's name, or Stripe's id of the payment method; to a seller null. Never a card's number."
  }),
  extent: Schema.NullOr(Schema.Literals(EXTENTS)).annotate({
    description: "Null where the order was paid from the wallet at once."
  }),
  capture: Schema.Literals(CAPTURE_MODES),
  status: Schema.Literals(PAYMENT_STATUSES).annotate({
    description: "`processing`: the provider's answer is awaited, and asked for again by itself."
  }),
  amount: Usd,
  currency: Schema.Literal("USD"),
  captured: Usd,
  applied: Usd.annotate({ description: "USD that the order has of it." }),
  refunding: Usd.annotate({ description: "USD on the way back to the instrument." }),
  refunded: Usd.annotate({ description: "USD that are back at the instrument." }),
  failure: Schema.NullOr(Schema.String).annotate({ description: "Why it failed, such as `insufficient_funds`." }),
  dispute: Schema.NullOr(Schema.Literals(["open", "won", "lost"])),
  refunds: Schema.Array(RefundObject),
  metadata: Metadata.annotate({ description: "What the buyer keeps with it by keys of its own; to a seller nothing." }),
  created_at: Time,
  updated_at: Time
}).annotate({ identifier: "Payment", description: "A payment, as GET /v1/payments/{id} answers it." })

export type PaymentObject = typeof PaymentObject.Type

/** What is shown of a refund. */
export interface RefundFacts {
  readonly refundId: string
  readonly amount: Amount
  readonly cause: "seller" | "unneeded"
  readonly sellerId: string | null
  readonly state: "pending" | "succeeded" | "failed"
  readonly failure: string | null
  readonly requestedAt: number
  readonly attempts: number
}

/** What is shown of a payment, or of a seller's share of one: its row says as much as its events. */
export interface PaymentFacts extends Omit<PaymentPlan, "payer" | "extent"> {
  readonly payer: string
  readonly companyId: string
  /** Null where the wallet paid the order at once. */
  readonly extent: PaymentPlan["extent"] | null
  readonly stage: PaymentStage
  readonly captured: Amount
  readonly applied: Amount
  readonly refunding: Amount
  readonly refunded: Amount
  readonly failure: string | null
  readonly dispute: "open" | "won" | "lost" | null
  readonly createdAt: number
  readonly changedAt: number
  readonly refunds: ReadonlyArray<RefundFacts>
}

const refundFacts = ({ amount, attempts, failure, refundId, requestedAt, seller, state }: Refund): RefundFacts => ({
  refundId,
  amount,
  cause: seller === null ? "unneeded" : "seller",
  sellerId: seller === null ? null : seller.companyId,
  state,
  failure,
  requestedAt,
  attempts
})

/** What a payment's state says of it: the buyer's, or a seller's share. */
export const paymentFacts = (state: PaymentState, changedAt: number): PaymentFacts => {
  const { createdAt, dispute, failure, isDirect, plan, refunds, stage } = state
  const { payer, ...planned } = plan
  return {
    ...planned,
    payer: payer.userId,
    companyId: payer.companyId,
    extent: isDirect ? null : plan.extent,
    stage,
    captured: capturedOf(state),
    applied: appliedOf(state),
    refunding: refundingOf(state),
    refunded: refundedOf(state),
    failure,
    dispute: dispute === null ? null : dispute.state,
    createdAt,
    changedAt,
    refunds: Array.from(refunds.values(), refundFacts)
  }
}

const refundObject = (refund: RefundFacts): typeof RefundObject.Type => ({
  id: refund.refundId,
  amount: toNumber(refund.amount),
  status: refund.state,
  reason: refund.cause,
  seller_company_id: refund.sellerId,
  failure: refund.failure,
  attempts: refund.attempts,
  created_at: timeText(refund.requestedAt)
})

/** A payment as it is shown. */
export const paymentObject = (payment: PaymentFacts): PaymentObject => ({
  id: payment.paymentId,
  object: "payment",
  order_id: payment.orderId,
  payer: payment.payer,
  company_id: payment.companyId,
  provider: payment.provider,
  instrument: payment.instrument,
  extent: payment.extent,
  capture: payment.capture,
  status: publicStatus(payment.stage, payment.amount, payment.refunded),
  amount: toNumber(payment.amount),
  currency: "USD",
  captured: toNumber(payment.captured),
  applied: toNumber(payment.applied),
  refunding: toNumber(payment.refunding),
  refunded: toNumber(payment.refunded),
  failure: payment.failure,
  dispute: payment.dispute,
  refunds: payment.refunds.map(refundObject),
  metadata: payment.metadata ?? {},
  created_at: timeText(payment.createdAt),
  updated_at: timeText(payment.changedAt)
})
