import { apportion } from "../commerce/Apportionment.ts"
import type { PurchaseOrderState } from "../commerce/PurchaseOrder.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { appliedOf, type PaymentState } from "./Payment.ts"
import { refundableFrom } from "./PaymentDecision.ts"
import type { DisputeShare } from "./PaymentEvent.ts"
import { paymentIn } from "./OrderPart.ts"

/** A wallet that was paid, and what it has not given back. */
export interface PaidShare extends DisputeShare {
  /** What of the payment it was given. */
  readonly part: Amount
}

/** What each wallet was given of a payment, and can still give back. Nothing once the order is cancelled. */
export const paidShares = (state: PaymentState, order: PurchaseOrderState): ReadonlyArray<PaidShare> => {
  const payment = paymentIn(order, state.plan.paymentId)
  if (payment === undefined || appliedOf(state) === ZERO) return []
  return order.terms.sellers.flatMap(({ sellerId, wallet }, index) => {
    const part = payment.parts[index] ?? ZERO
    return part > ZERO ? [{ companyId: sellerId, wallet, part, amount: refundableFrom(state, wallet, part) }] : []
  })
}

/** Divides what a lost dispute takes among those who were paid, in proportion to what they still have of it. */
export const disputeShares = (state: PaymentState, order: PurchaseOrderState): ReadonlyArray<DisputeShare> => {
  const paid = paidShares(state, order).filter(({ amount }) => amount > ZERO)
  const there = paid.reduce((sum, { amount }) => sum + amount, 0n)
  const disputed = state.dispute?.amount ?? ZERO
  const parts = apportion(
    fromUnits(disputed < there ? disputed : there),
    paid.map(({ amount }) => amount)
  )
  return paid.flatMap(({ companyId, wallet }, index) => {
    const amount = parts[index] ?? ZERO
    return amount > ZERO ? [{ companyId, wallet, amount }] : []
  })
}
