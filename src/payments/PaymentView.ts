import type { Amount } from "../../engine/money/Amount.ts"
import {
  appliedOf,
  capturedOf,
  type CaptureMode,
  type Extent,
  type PaymentProviderName,
  type PaymentStage,
  publicStatus,
  type Refund,
  refundedOf,
  refundingOf
} from "../../engine/payments/Payment.ts"
import type { PaymentShare } from "../../engine/payments/PaymentShare.ts"
import type { PaymentAnswer, RefundAnswer } from "../api/Payments.ts"

export interface RefundView {
  readonly refundId: string
  readonly amount: Amount
  readonly cause: "seller" | "unneeded"
  readonly sellerId: string | null
  readonly state: "pending" | "succeeded" | "failed"
  readonly failure: string | null
  readonly requestedAt: number
}

/** A payment as its rows say it, or a seller's share of one. */
export interface PaymentView {
  readonly paymentId: string
  readonly orderId: string
  readonly payer: string
  readonly companyId: string
  readonly provider: PaymentProviderName
  readonly instrument: string | null
  /** Null where the wallet paid the order at once. */
  readonly extent: Extent | null
  readonly capture: CaptureMode
  readonly stage: PaymentStage
  readonly amount: Amount
  readonly captured: Amount
  readonly applied: Amount
  readonly refunding: Amount
  readonly refunded: Amount
  readonly failure: string | null
  readonly dispute: "open" | "won" | "lost" | null
  readonly isDirect: boolean
  readonly createdAt: number
  readonly changedAt: number
  readonly refunds: ReadonlyArray<RefundView>
}

const refundView = ({ amount, failure, refundId, requestedAt, seller, state }: Refund): RefundView => ({
  refundId,
  amount,
  cause: seller === null ? "unneeded" : "seller",
  sellerId: seller === null ? null : seller.companyId,
  state,
  failure,
  requestedAt
})

/** A seller's share of a payment. */
export const shareView = ({ state, updatedAt }: PaymentShare): PaymentView => {
  const { createdAt, dispute, failure, isDirect, plan, refunds, stage } = state
  return {
    paymentId: plan.paymentId,
    orderId: plan.orderId,
    payer: plan.payer.userId,
    companyId: plan.payer.companyId,
    provider: plan.provider,
    instrument: plan.instrument,
    extent: isDirect ? null : plan.extent,
    capture: plan.capture,
    stage,
    amount: plan.amount,
    captured: capturedOf(state),
    applied: appliedOf(state),
    refunding: refundingOf(state),
    refunded: refundedOf(state),
    failure,
    dispute: dispute === null ? null : dispute.state,
    isDirect,
    createdAt,
    changedAt: updatedAt,
    refunds: Array.from(refunds.values(), refundView)
  }
}

const toRefund = (refund: RefundView): typeof RefundAnswer.Type => ({
  id: refund.refundId,
  amount: refund.amount,
  status: refund.state,
  reason: refund.cause,
  seller_company_id: refund.sellerId,
  failure: refund.failure,
  created_at: refund.requestedAt
})

/** A payment under the names of the contract. */
export const toAnswer = (view: PaymentView): typeof PaymentAnswer.Type => ({
  id: view.paymentId,
  order_id: view.orderId,
  payer: view.payer,
  company_id: view.companyId,
  provider: view.provider,
  instrument: view.instrument,
  extent: view.extent,
  capture: view.capture,
  status: publicStatus(view.stage, view.amount, view.refunded),
  amount: view.amount,
  currency: "USD",
  captured: view.captured,
  applied: view.applied,
  refunding: view.refunding,
  refunded: view.refunded,
  failure: view.failure,
  dispute: view.dispute,
  refunds: view.refunds.map(toRefund),
  created_at: view.createdAt,
  updated_at: view.changedAt
})
