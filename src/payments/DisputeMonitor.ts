import { Clock, Effect } from "effect"
import { fromUnits } from "../../engine/money/Amount.ts"
import { capturedOf, refundedOf } from "../../engine/payments/Payment.ts"
import { disputeShares } from "./DisputeShares.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { record } from "./PaymentRecord.ts"
import type { PaymentSituation } from "./PaymentSituations.ts"

/** Asks what the payer's bank says of a captured payment, and records it: whether that was anything new. */
export const lookForDispute = Effect.fnUntraced(function* ({ order, state }: PaymentSituation) {
  const { paymentId, provider: name } = state.plan
  const provider = (yield* PaymentProviders).find(name)
  const found = provider === undefined ? undefined : yield* provider.dispute(state.reference)
  if (found === undefined || state.dispute?.state === found.state) return false
  const of = { at: yield* Clock.currentTimeMillis, paymentId, disputeId: found.disputeId }
  if (state.dispute === null) {
    const left = capturedOf(state) - refundedOf(state)
    const amount = found.amount < left ? found.amount : fromUnits(left)
    if (amount <= 0n) return false
    yield* record(state, { _tag: "PaymentDisputed", ...of, amount })
    return true
  }
  if (found.state === "open" || found.disputeId !== state.dispute.disputeId) return false
  yield* record(
    state,
    found.state === "won"
      ? { _tag: "PaymentDisputeWon", ...of }
      : { _tag: "PaymentDisputeLost", ...of, shares: disputeShares(state, order) }
  )
  return true
})
