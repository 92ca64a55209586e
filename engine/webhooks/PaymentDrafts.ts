import type { PurchaseOrderState } from "../commerce/PurchaseOrder.ts"
import type { PurchaseOrderPaid } from "../commerce/PurchaseOrderEvent.ts"
import type { PurchaseRecord } from "../commerce/PurchaseRecord.ts"
import { ZERO } from "../money/Amount.ts"
import { created, evolve, paidDirectly, type PaymentState } from "../payments/Payment.ts"
import type { PaymentEvent } from "../payments/PaymentEvent.ts"
import { shareOf } from "../payments/PaymentShare.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { Draft } from "./History.ts"
import { companiesOf } from "../commerce/OrderObject.ts"
import { paymentFacts, paymentObject } from "../payments/PaymentObject.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** A payment as its events leave it, and when it changed last. */
export interface ToldPayment {
  readonly state: PaymentState
  readonly updatedAt: number
}

const isPaymentOf = (event: PlatformEvent, paymentId: string): event is PurchaseOrderPaid =>
  event._tag === "PurchaseOrderPaid" && event.payment.paymentId === paymentId

const begunBy = (first: PaymentEvent | undefined, paid: PurchaseOrderPaid | undefined): PaymentState | undefined => {
  if (first?._tag === "PaymentCreated") return created(first.plan, first.at)
  if (paid === undefined) return undefined
  const { at, companyId, orderId, payment, userId } = paid
  return paidDirectly(orderId, { userId, companyId }, payment, at)
}

/** A payment as its own events and its order's make it; undefined where they make none. */
export const paymentIn = (
  paymentId: string,
  own: ReadonlyArray<PaymentEvent>,
  ofOrder: ReadonlyArray<PlatformEvent>
): ToldPayment | undefined => {
  const paid = ofOrder.find((event) => isPaymentOf(event, paymentId))
  const state = begunBy(own[0], paid)
  if (state === undefined) return undefined
  for (const event of state.isDirect ? own : own.slice(1)) evolve(state, event)
  const cancelled = ofOrder.find(({ _tag }) => _tag === "PurchaseOrderCancelled")
  state.taken = paid === undefined ? null : paid.payment.amount
  state.isReturned = paid !== undefined && cancelled !== undefined
  const times = [...own, paid, state.isReturned ? cancelled : undefined].map((event) => event?.at ?? 0)
  return { state, updatedAt: times.reduce((latest, at) => (at > latest ? at : latest), 0) }
}

/** The sellers that were given something of a payment. */
const givenOf = ({ payments, terms }: PurchaseOrderState, paymentId: string): ReadonlySet<string> => {
  const parts = payments.find((payment) => payment.paymentId === paymentId)?.parts ?? []
  return new Set(terms.sellers.flatMap(({ sellerId }, index) => ((parts[index] ?? ZERO) > ZERO ? [sellerId] : [])))
}

/** To the buyer the payment. */
export const toBuyer = (
  type: WebhookEventType,
  { state, updatedAt }: ToldPayment,
  { state: { terms } }: PurchaseRecord
): ReadonlyArray<Draft> => [
  { type, companyId: terms.buyer.companyId, object: () => paymentObject(paymentFacts(state, updatedAt)) }
]

/** To each seller that was given something of a payment, its share. */
export const toSellers = (
  type: WebhookEventType,
  { state }: ToldPayment,
  order: PurchaseRecord,
  isTold: (companyId: string) => boolean = () => true
): ReadonlyArray<Draft> => {
  const given = givenOf(order.state, state.plan.paymentId)
  return companiesOf(order.state)
    .filter((companyId) => given.has(companyId) && isTold(companyId))
    .map((companyId) => ({
      type,
      companyId,
      object: () => {
        const share = shareOf(state, order, companyId)
        if (share === undefined) throw new TypeError(`${companyId} was given nothing of ${state.plan.paymentId}`)
        return paymentObject(paymentFacts(share.state, share.updatedAt))
      }
    }))
}
