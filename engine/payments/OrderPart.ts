import { Result } from "effect"
import type { PurchaseOrderState } from "../commerce/PurchaseOrder.ts"
import type { OrderPayment } from "../commerce/PurchaseOrderTerms.ts"
import { pay } from "../commerce/PurchaseOrderDecision.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { paymentAccount } from "./Payment.ts"
import { type Extent } from "./PaymentPlan.ts"

/** What an order would take from a payment of this extent now: nothing where it is paid or cancelled. */
export const takesOf = (order: PurchaseOrderState, extent: Extent): Amount => {
  const { companyId } = order.terms.buyer
  const payment = { paymentId: "", from: paymentAccount(""), extent }
  const decided = pay(order, payment, { userId: "", companyId, at: 0 })
  return Result.isSuccess(decided) ? decided.success.event.payment.amount : ZERO
}

/** What an order took from a payment. */
export const paymentIn = (order: PurchaseOrderState, paymentId: string): OrderPayment | undefined =>
  order.payments.find((payment) => payment.paymentId === paymentId)
