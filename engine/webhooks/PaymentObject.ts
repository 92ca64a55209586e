import { Schema } from "effect"
import { toNumber } from "../money/Amount.ts"
import {
  appliedOf,
  CAPTURE_MODES,
  capturedOf,
  EXTENTS,
  PAYMENT_PROVIDERS,
  PAYMENT_STATUSES,
  type PaymentState,
  type Refund,
  refundedOf,
  refundingOf,
  statusOf
} from "../payments/Payment.ts"
import { Time, timeText, Usd } from "./WebhookValue.ts"

const RefundObject = Schema.Struct({
  id: Schema.String,
  amount: Usd,
  status: Schema.Literals(["pending", "succeeded", "failed"]),
  reason: Schema.Literals(["seller", "unneeded"]).annotate({
    description: "`seller`: a seller gave it back. `unneeded`: the order was cancelled, or was paid otherwise."
  }),
  seller_company_id: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(Schema.String),
  created_at: Time
})

/** A payment in a webhook's body, as `GET /v1/payments/{id}` answers it. */
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
  status: Schema.Literals(PAYMENT_STATUSES),
  amount: Usd,
  currency: Schema.Literal("USD"),
  captured: Usd,
  applied: Usd.annotate({ description: "USD that the order has of it." }),
  refunding: Usd.annotate({ description: "USD on the way back to the instrument." }),
  refunded: Usd.annotate({ description: "USD that are back at the instrument." }),
  failure: Schema.NullOr(Schema.String).annotate({ description: "Why it failed, such as `insufficient_funds`." }),
  dispute: Schema.NullOr(Schema.Literals(["open", "won", "lost"])),
  refunds: Schema.Array(RefundObject),
  created_at: Time,
  updated_at: Time
}).annotate({ identifier: "Payment", description: "A payment, as GET /v1/payments/{id} answers it." })

export type PaymentObject = typeof PaymentObject.Type

const refundObject = ({ amount, failure, refundId, requestedAt, seller, state }: Refund) => ({
  id: refundId,
  amount: toNumber(amount),
  status: state,
  reason: seller === null ? ("unneeded" as const) : ("seller" as const),
  seller_company_id: seller === null ? null : seller.companyId,
  failure,
  created_at: timeText(requestedAt)
})

/** A payment as its state has it: the buyer's, or a seller's share of it. */
export const paymentObject = (state: PaymentState, updatedAt: number): PaymentObject => {
  const { createdAt, dispute, failure, isDirect, plan, refunds } = state
  return {
    id: plan.paymentId,
    object: "payment",
    order_id: plan.orderId,
    payer: plan.payer.userId,
    company_id: plan.payer.companyId,
    provider: plan.provider,
    instrument: plan.instrument,
    extent: isDirect ? null : plan.extent,
    capture: plan.capture,
    status: statusOf(state),
    amount: toNumber(plan.amount),
    currency: "USD",
    captured: toNumber(capturedOf(state)),
    applied: toNumber(appliedOf(state)),
    refunding: toNumber(refundingOf(state)),
    refunded: toNumber(refundedOf(state)),
    failure,
    dispute: dispute === null ? null : dispute.state,
    refunds: Array.from(refunds.values(), refundObject),
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt)
  }
}
