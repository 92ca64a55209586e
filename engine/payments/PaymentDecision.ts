/** Decides on payments: an event is taken where the payment's state allows it. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { AccountId } from "../ledger/Account.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import {
  appliedOf,
  capturedOf,
  givenBackFrom,
  isContested,
  isDeclined,
  MAX_REFUNDS,
  type PaymentStage,
  type PaymentState,
  refundedOf,
  unneededOf
} from "./Payment.ts"
import { paymentCommands } from "./PaymentCommands.ts"
import {
  IllegalPaymentAct,
  PaymentContested,
  type PaymentError,
  RefundTooLarge,
  TooManyRefunds
} from "./PaymentError.ts"
import type { PaymentDisputeLost, PaymentEvent, PaymentRefundRequested } from "./PaymentEvent.ts"

/**
 * Takes an event where the payment's state allows it, with what it moves. `state` is undefined for a payment's first
 * event. The ledger has the last word on the money of payer and sellers.
 *
 * A replay decides recorded events by the same rules.
 */
export const decide = <E extends PaymentEvent>(
  state: PaymentState | undefined,
  event: E
): Result.Result<Entry<E>, PaymentError> => {
  const refusal = refusalOf(state, event)
  return refusal === undefined
    ? Result.succeed({ commands: paymentCommands(state, event), event })
    : Result.fail(refusal)
}

/** The states in which an event may come. */
const STAGES: { readonly [T in Exclude<PaymentEvent["_tag"], "PaymentCreated">]: ReadonlyArray<PaymentStage> } = {
  PaymentAuthorized: ["created"],
  PaymentCaptureRequested: ["authorized"],
  PaymentVoidRequested: ["authorized"],
  PaymentCaptured: ["capturing"],
  PaymentFailed: ["created", "capturing"],
  PaymentVoided: ["voiding"],
  PaymentRefundRequested: ["captured"],
  PaymentRefunded: ["captured"],
  PaymentRefundFailed: ["captured"],
  PaymentDisputed: ["captured"],
  PaymentDisputeWon: ["captured"],
  PaymentDisputeLost: ["captured"]
}

const refusalOf = (state: PaymentState | undefined, event: PaymentEvent): PaymentError | undefined => {
  const illegal = new IllegalPaymentAct({ act: event._tag, stage: state?.stage ?? "none" })
  if (event._tag === "PaymentCreated") {
    return state === undefined && event.plan.amount > ZERO ? undefined : illegal
  }
  if (state === undefined || state.plan.paymentId !== event.paymentId) return illegal
  if (!STAGES[event._tag].includes(state.stage)) return illegal
  switch (event._tag) {
    case "PaymentRefundRequested":
      return refundRefusal(state, event, illegal)
    case "PaymentRefunded":
    case "PaymentRefundFailed":
      return state.refunds.get(event.refundId)?.state === "pending" ? undefined : illegal
    case "PaymentDisputed":
      return state.dispute === null && event.amount > ZERO && event.amount <= disputable(state) ? undefined : illegal
    case "PaymentDisputeWon":
      return isOpen(state, event.disputeId) ? undefined : illegal
    case "PaymentDisputeLost":
      return isOpen(state, event.disputeId) && areShares(state, event) ? undefined : illegal
    default:
      return undefined
  }
}

const refundRefusal = (
  state: PaymentState,
  { amount, refundId, seller }: PaymentRefundRequested,
  illegal: IllegalPaymentAct
): PaymentError | undefined => {
  const before = state.refunds.get(refundId)
  if (amount <= ZERO || (before !== undefined && (seller !== null || !isDeclined(before)))) return illegal
  if (isContested(state)) return new PaymentContested()
  if (seller !== null && state.refunds.size >= MAX_REFUNDS) return new TooManyRefunds({ most: MAX_REFUNDS })
  const left = seller === null ? unneededOf(state) : refundableFrom(state, seller.wallet, seller.part)
  return amount <= left ? undefined : new RefundTooLarge({ left })
}

/** What can still be given back from a wallet that was given `part` of the payment. */
export const refundableFrom = (state: PaymentState, wallet: AccountId, part: Amount): Amount => {
  const left = part - givenBackFrom(state, wallet)
  return appliedOf(state) > ZERO && left > 0n ? fromUnits(left) : ZERO
}

/** What the payer's bank can ask back: nothing of what a wallet paid. */
const disputable = (state: PaymentState): bigint =>
  state.plan.provider === "wallet" ? 0n : capturedOf(state) - refundedOf(state)

const isOpen = ({ dispute }: PaymentState, disputeId: string): boolean =>
  dispute?.state === "open" && dispute.disputeId === disputeId

const areShares = ({ dispute }: PaymentState, { shares }: PaymentDisputeLost): boolean =>
  shares.every(({ amount }) => amount > ZERO) &&
  shares.reduce((sum, { amount }) => sum + amount, 0n) <= (dispute?.amount ?? 0n)
