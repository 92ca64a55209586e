import { type Amount, ZERO } from "../money/Amount.ts"
import { isContested, type PaymentState, type Refund, unneededOf } from "./Payment.ts"

/** What is to be done next about a payment, by itself. */
export type PaymentStep =
  | { readonly _tag: "Authorize" }
  | { readonly _tag: "RequestCapture" }
  | { readonly _tag: "RequestVoid" }
  | { readonly _tag: "Capture" }
  | { readonly _tag: "Void" }
  /** The order is to take the money. */
  | { readonly _tag: "Apply" }
  /** What the order does not need goes back. */
  | { readonly _tag: "RequestRefund"; readonly amount: Amount }
  | { readonly _tag: "Refund"; readonly refund: Refund }
  /** Nothing but to look, from time to time, whether the payer's bank asks the money back. */
  | { readonly _tag: "LookForDispute" }

/**
 * The next step, or nothing where somebody else has to act, or no one any more.
 *
 * @param takes - what the order would take from a payment of this extent now; 0 where it takes none
 */
export const nextStep = (state: PaymentState, takes: Amount): PaymentStep | undefined => {
  const { plan, stage } = state
  switch (stage) {
    case "created":
      return { _tag: "Authorize" }
    case "authorized":
      if (takes !== plan.amount) return { _tag: "RequestVoid" }
      return plan.capture === "automatic" ? { _tag: "RequestCapture" } : undefined
    case "capturing":
      return { _tag: "Capture" }
    case "voiding":
      return { _tag: "Void" }
    case "captured":
      return afterCapture(state, takes)
    case "failed":
    case "voided":
      return undefined
  }
}

const afterCapture = (state: PaymentState, takes: Amount): PaymentStep | undefined => {
  const refunds = [...state.refunds.values()]
  const pending = refunds.find((refund) => refund.state === "pending")
  if (pending !== undefined) return { _tag: "Refund", refund: pending }
  const isOver = refunds.some((refund) => refund.seller === null) || isContested(state)
  if (state.taken === null && !isOver && takes > ZERO && takes <= state.plan.amount) return { _tag: "Apply" }
  const amount = unneededOf(state)
  if (amount > ZERO && !isContested(state)) return { _tag: "RequestRefund", amount }
  return isWatched(state) ? { _tag: "LookForDispute" } : undefined
}

const isWatched = ({ dispute, plan }: PaymentState): boolean =>
  plan.provider !== "wallet" && (dispute === null || dispute.state === "open")
