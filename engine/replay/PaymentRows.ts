import { appliedOf, capturedOf, type PaymentState, type Refund, refundedOf, refundingOf } from "../payments/Payment.ts"
import type { StateRow } from "./StateTable.ts"

/** A payment's row, in the order of its table's columns. `changedAt` is the time of the last event that touched it. */
export const paymentRow = (state: PaymentState, changedAt: number): StateRow => {
  const { createdAt, dispute, failure, isDirect, plan, stage } = state
  return {
    table: "payments",
    values: [
      plan.paymentId,
      plan.orderId,
      plan.payer.userId,
      plan.payer.companyId,
      plan.provider,
      plan.instrument,
      `${isDirect}`,
      isDirect ? null : plan.extent,
      plan.capture,
      stage,
      `${plan.amount}`,
      `${capturedOf(state)}`,
      `${appliedOf(state)}`,
      `${refundingOf(state)}`,
      `${refundedOf(state)}`,
      failure,
      dispute === null ? null : dispute.state,
      `${createdAt}`,
      `${changedAt}`
    ]
  }
}

export const refundRow = (paymentId: string, refund: Refund): StateRow => ({
  table: "payment_refunds",
  values: [
    refund.refundId,
    paymentId,
    `${refund.amount}`,
    refund.seller === null ? "unneeded" : "seller",
    refund.seller === null ? null : refund.seller.companyId,
    refund.state,
    refund.failure,
    `${refund.requestedAt}`,
    refund.settledAt === null ? null : `${refund.settledAt}`
  ]
})
