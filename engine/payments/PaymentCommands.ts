/** What an event of a payment asks of the ledger. */

import type { AccountId } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { PAYMENT_ASSET, payerWallet, paymentAccount, type PaymentState } from "./Payment.ts"
import { type PaymentPlan } from "./PaymentPlan.ts"
import type { PaymentDisputeLost, PaymentEvent, PaymentRefundRequested } from "./PaymentEvent.ts"

/** The ledger's id of what a wallet reserves for a payment. */
export const paymentHold = (paymentId: string): string => `payment/${paymentId}`

/** The ledger's id of what is set aside for a refund: another one each time that it is asked for. */
export const refundHold = (paymentId: string, refundId: string, attempt = 1): string =>
  attempt === 1 ? `payment/${paymentId}/refund/${refundId}` : `payment/${paymentId}/refund/${refundId}/${attempt}`

/** The world outside, in which cards are charged. */
const OUTSIDE = custodyOf(PAYMENT_ASSET)

const isFromWallet = ({ provider }: PaymentPlan): boolean => provider === "wallet"

/** Where a refund goes: back to what paid. */
const instrumentOf = (plan: PaymentPlan): AccountId => (isFromWallet(plan) ? payerWallet(plan) : OUTSIDE)

/**
 * What an event moves, on the state before it: the same for the decision and for a replay.
 *
 * Captured money comes into an account of the payment's own. The order takes it from there and returns it there, so
 * that the ledger itself lets no payment pay or refund more than was captured. What is set aside for a refund is held.
 */
export const paymentCommands = (state: PaymentState | undefined, event: PaymentEvent): ReadonlyArray<Command> => {
  if (event._tag === "PaymentCreated" || state === undefined) return []
  const { plan } = state
  const { paymentId } = event
  switch (event._tag) {
    case "PaymentAuthorized":
      return isFromWallet(plan) ? [reserved(plan)] : []
    case "PaymentCaptured":
      return [captured(plan)]
    case "PaymentVoided":
      return isFromWallet(plan) ? [{ _tag: "Release", hold: paymentHold(paymentId) }] : []
    case "PaymentFailed":
      return isFromWallet(plan) && state.stage === "capturing"
        ? [{ _tag: "Release", hold: paymentHold(paymentId) }]
        : []
    case "PaymentRefundRequested":
      return setAside(state, event)
    case "PaymentRefunded": {
      const refund = state.refunds.get(event.refundId)
      const amount = refund?.amount ?? ZERO
      const hold = refundHold(paymentId, event.refundId, refund?.attempts)
      return [{ _tag: "Capture", hold, to: instrumentOf(plan), amount, purpose: "refund" }]
    }
    case "PaymentRefundFailed":
      return putBack(state, event.refundId)
    case "PaymentDisputeLost":
      return lost(state, event)
    default:
      return []
  }
}

const reserved = (plan: PaymentPlan): Command => ({
  _tag: "Hold",
  id: paymentHold(plan.paymentId),
  account: payerWallet(plan),
  into: paymentAccount(plan.paymentId),
  amount: plan.amount
})

const captured = (plan: PaymentPlan): Command => {
  const to = paymentAccount(plan.paymentId)
  const { amount } = plan
  const id = paymentHold(plan.paymentId)
  return isFromWallet(plan)
    ? { _tag: "Capture", hold: id, to, amount, purpose: "purchase" }
    : { _tag: "Transfer", id, from: OUTSIDE, to, amount, purpose: "purchase" }
}

const moved = (id: string, from: AccountId, to: AccountId, amount: Amount): Command => ({
  _tag: "Transfer",
  id,
  from,
  to,
  amount,
  purpose: "refund"
})

const setAside = (
  { plan, refunds }: PaymentState,
  { amount, paymentId, refundId, seller }: PaymentRefundRequested
): ReadonlyArray<Command> => {
  const account = paymentAccount(paymentId)
  const id = refundHold(paymentId, refundId, (refunds.get(refundId)?.attempts ?? 0) + 1)
  const held: Command = { _tag: "Hold", id, account, into: instrumentOf(plan), amount }
  return seller === null ? [held] : [moved(`${id}/given`, seller.wallet, account, amount), held]
}

const putBack = ({ plan, refunds }: PaymentState, refundId: string): ReadonlyArray<Command> => {
  const refund = refunds.get(refundId)
  const id = refundHold(plan.paymentId, refundId, refund?.attempts)
  const released: Command = { _tag: "Release", hold: id }
  return refund === undefined || refund.seller === null
    ? [released]
    : [released, moved(`${id}/returned`, paymentAccount(plan.paymentId), refund.seller.wallet, refund.amount)]
}

/** Each seller's share is taken from its wallet, the rest from what the payment still has. */
const lost = ({ dispute, plan }: PaymentState, { paymentId, shares }: PaymentDisputeLost): ReadonlyArray<Command> => {
  const id = `payment/${paymentId}/dispute`
  const rest = shares.reduce((left, { amount }) => left - amount, (dispute?.amount ?? ZERO) as bigint) as Amount
  const own = paymentAccount(plan.paymentId)
  const covered = (one: string, source: AccountId, amount: Amount): Command => ({
    _tag: "Cover",
    id: one,
    sources: [source],
    to: OUTSIDE,
    amount,
    purpose: "refund"
  })
  return [
    ...(rest > ZERO ? [covered(id, own, rest)] : []),
    ...shares.map(({ amount, wallet }, index) => covered(`${id}/${index + 1}`, wallet, amount))
  ]
}
