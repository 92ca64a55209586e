import { Clock, Effect } from "effect"
import type { Amount } from "../../engine/money/Amount.ts"
import { capturedOf, paymentAccount, type Refund } from "../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import type { PaymentStep } from "../../engine/payments/PaymentStep.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import { lookForDispute } from "./DisputeMonitor.ts"
import { DISPUTED } from "./PaymentProvider.ts"
import { record } from "./PaymentRecord.ts"
import { type PaymentSituation, PaymentSituations } from "./PaymentSituations.ts"
import { postpone, type Progress, request } from "./ProviderRequest.ts"

/** Records what goes without asking anybody. */
const decided = Effect.fnUntraced(function* (
  { state }: PaymentSituation,
  event: (of: { readonly at: number; readonly paymentId: string }) => PaymentEvent
) {
  yield* record(state, event({ at: yield* Clock.currentTimeMillis, paymentId: state.plan.paymentId }))
  return "done" as Progress
})

/** Sets aside what the order does not need. */
const giveBack = (situation: PaymentSituation, amount: Amount) =>
  decided(situation, (of) => ({
    _tag: "PaymentRefundRequested",
    ...of,
    refundId: `rfd_${of.paymentId.replace(/^pay_/, "")}_${situation.state.refunds.size + 1}`,
    amount,
    seller: null
  }))

/** Lets the order take the money. What it refuses goes back. */
const apply = Effect.fnUntraced(function* (situation: PaymentSituation) {
  const { extent, orderId, payer, paymentId } = situation.state.plan
  const orders = yield* PurchaseOrders
  return yield* orders.pay(orderId, { paymentId, from: paymentAccount(paymentId), extent }, payer).pipe(
    Effect.as("done" as Progress),
    Effect.catch((refused) =>
      refused._tag === "Unavailable" ? Effect.fail(refused) : giveBack(situation, capturedOf(situation.state))
    )
  )
})

/** Sends a refund on its way. What the order does not need and the provider refuses is tried again, ever later. */
const refund = Effect.fnUntraced(function* ({ state }: PaymentSituation, { amount, refundId, seller }: Refund) {
  const { paymentId } = state.plan
  const declined: Array<string> = []
  const progress = yield* request(
    state,
    "refund",
    (answer, at) => {
      if (answer._tag === "Approved") return { _tag: "PaymentRefunded", at, paymentId, refundId }
      declined.push(answer.reason)
      return { _tag: "PaymentRefundFailed", at, paymentId, refundId, reason: answer.reason }
    },
    { amount, refundId }
  )
  const [reason] = declined
  if (reason === undefined) return progress
  const after = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
  if (after !== undefined && reason === DISPUTED) yield* lookForDispute(after)
  return seller === null
    ? yield* postpone(paymentId, state.refunds.size, `its refund was declined (${reason})`)
    : progress
})

/** Does a step of a payment. */
export const perform = (
  situation: PaymentSituation,
  step: Exclude<PaymentStep, { readonly _tag: "LookForDispute" }>
) => {
  const { state } = situation
  const { paymentId } = state.plan
  switch (step._tag) {
    case "Authorize":
      return request(state, "authorize", (answer, at) =>
        answer._tag === "Approved"
          ? { _tag: "PaymentAuthorized", at, paymentId, reference: answer.reference }
          : { _tag: "PaymentFailed", at, paymentId, reason: answer.reason }
      )
    case "Capture":
      return request(state, "capture", (answer, at) =>
        answer._tag === "Approved"
          ? { _tag: "PaymentCaptured", at, paymentId }
          : { _tag: "PaymentFailed", at, paymentId, reason: answer.reason }
      )
    case "Void":
      return request(state, "void", (answer, at) =>
        answer._tag === "Approved" ? { _tag: "PaymentVoided", at, paymentId } : undefined
      )
    case "RequestCapture":
      return decided(situation, (of) => ({ _tag: "PaymentCaptureRequested", ...of, userId: null, requestId: null }))
    case "RequestVoid":
      return decided(situation, (of) => ({
        _tag: "PaymentVoidRequested",
        ...of,
        userId: null,
        requestId: null,
        reason: "order_changed"
      }))
    case "Apply":
      return apply(situation)
    case "RequestRefund":
      return giveBack(situation, step.amount)
    case "Refund":
      return refund(situation, step.refund)
  }
}
