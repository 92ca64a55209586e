import { metadataText } from "../metadata/Metadata.ts"
import { appliedOf, capturedOf, type PaymentState, refundedOf, refundingOf } from "./Payment.ts"

/** What a payment's row is of. `changedAt` is the time of the last event that touched it. */
interface Payment {
  readonly state: PaymentState
  readonly changedAt: number
}

/** The columns of a payment's row. */
export const PAYMENT_COLUMNS = {
  id: ({ state }) => state.plan.paymentId,
  order_id: ({ state }) => state.plan.orderId,
  payer: ({ state }) => state.plan.payer.userId,
  company_id: ({ state }) => state.plan.payer.companyId,
  provider: ({ state }) => state.plan.provider,
  instrument: ({ state }) => state.plan.instrument,
  direct: ({ state }) => `${state.isDirect}`,
  extent: ({ state }) => (state.isDirect ? null : state.plan.extent),
  capture: ({ state }) => state.plan.capture,
  state: ({ state }) => state.stage,
  amount: ({ state }) => `${state.plan.amount}`,
  captured: ({ state }) => `${capturedOf(state)}`,
  applied: ({ state }) => `${appliedOf(state)}`,
  refunding: ({ state }) => `${refundingOf(state)}`,
  refunded: ({ state }) => `${refundedOf(state)}`,
  failure: ({ state }) => state.failure,
  dispute: ({ state: { dispute } }) => (dispute === null ? null : dispute.state),
  created_at: ({ state }) => `${state.createdAt}`,
  changed_at: ({ changedAt }) => `${changedAt}`,
  metadata: ({ state }) => metadataText(state.plan.metadata)
} satisfies Readonly<Record<string, (payment: Payment) => string | null>>
