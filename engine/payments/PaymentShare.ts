import { Struct } from "effect"
import { viewFor } from "../commerce/PurchaseOrderView.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { capturedOf, type PaymentState, type Refund } from "./Payment.ts"

/** What of a payment a seller was given, as a payment of its own. */
export interface PaymentShare {
  readonly state: PaymentState
  /** The latest time at which something of it changed. */
  readonly updatedAt: number
}

/**
 * The refunds that concern a seller: its own, and once the order is cancelled the payment's way back, of which its part
 * is its. What was captured beyond what the order took concerns the buyer alone.
 */
const ownRefunds = (
  state: PaymentState,
  part: Amount,
  taken: Amount,
  companyId: string
): ReadonlyMap<string, Refund> => {
  let spare = capturedOf(state) - taken
  const own = new Map<string, Refund>()
  for (const [refundId, refund] of state.refunds) {
    if (refund.seller !== null) {
      if (refund.seller.companyId === companyId) own.set(refundId, refund)
    } else if (spare > 0n) {
      if (refund.state !== "failed") spare = 0n
    } else if (state.isReturned) own.set(refundId, { ...refund, amount: part })
  }
  return own
}

/**
 * A payment as a seller of its order may see it: nothing until the order took it, then its own part of it, without what
 * the buyer paid with or keeps with it, and without what other sellers were given or gave back. Undefined where it was given nothing.
 */
export const shareOf = (state: PaymentState, order: PurchaseRecord, companyId: string): PaymentShare | undefined => {
  const { paymentId } = state.plan
  const whole = order.state.payments.find((payment) => payment.paymentId === paymentId)
  const own = viewFor(order, companyId).state.payments.find((payment) => payment.paymentId === paymentId)
  if (whole === undefined || own === undefined) return undefined
  const { amount } = own
  const refunds = ownRefunds(state, amount, whole.amount, companyId)
  const times = [
    order.paidAt.get(paymentId) ?? state.createdAt,
    ...Array.from(refunds.values(), ({ askedAt, settledAt }) => settledAt ?? askedAt),
    ...(state.isReturned ? [order.updatedAt] : []),
    ...(state.dispute === null ? [] : [state.dispute.changedAt])
  ]
  return {
    updatedAt: times.reduce((latest, at) => (at > latest ? at : latest)),
    state: {
      ...state,
      plan: { ...Struct.omit(state.plan, ["metadata"]), amount, instrument: null },
      reference: null,
      failure: null,
      requestId: null,
      taken: amount,
      refunds: new Map(refunds),
      dispute: state.dispute === null ? null : { ...state.dispute, amount: ZERO }
    }
  }
}
