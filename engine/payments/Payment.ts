/** A payment as its events make it. */

import type { AccountId } from "../ledger/Account.ts"
import { walletOf } from "../ledger/Funding.ts"
import { Amount, fromUnits, ZERO } from "../money/Amount.ts"
import type { OrderPayment } from "../commerce/PurchaseOrderTerms.ts"
import type { PaymentEvent, RefundingSeller } from "./PaymentEvent.ts"
import type { PaymentPlan } from "./PaymentPlan.ts"

/** What all payments are in. */
export const PAYMENT_ASSET = "USD"

/** The most refunds of one payment by its sellers, failed ones included. */
export const MAX_REFUNDS = 100

export const PAYMENT_STAGES = ["created", "authorized", "capturing", "voiding", "captured", "failed", "voided"] as const
export type PaymentStage = (typeof PAYMENT_STAGES)[number]

export interface Refund {
  readonly refundId: string
  readonly amount: Amount
  readonly seller: RefundingSeller | null
  readonly requestedAt: number
  /** When it was asked for last. */
  readonly askedAt: number
  /** How often it was asked for: what the order does not need is asked for anew after each decline. */
  readonly attempts: number
  readonly state: "pending" | "succeeded" | "failed"
  readonly failure: string | null
  readonly settledAt: number | null
}

export interface Dispute {
  readonly disputeId: string
  readonly amount: Amount
  readonly state: "open" | "won" | "lost"
  /** When it came to be so. */
  readonly changedAt: number
}

/** A payment as its events make it, and what the order's events say of it. */
export interface PaymentState {
  readonly plan: PaymentPlan
  /** The wallet paid the order at once: nothing was authorized, and the order gives it back by itself. */
  readonly isDirect: boolean
  readonly createdAt: number
  /** The number of events recorded in its own stream. */
  version: number
  stage: PaymentStage
  reference: string | null
  failure: string | null
  capturedAt: number | null
  /** The last request that went through, by which its repetition is known. */
  requestId: string | null
  /** What the order took; null as long as it took nothing. */
  taken: Amount | null
  /** Whether the order was cancelled since. */
  isReturned: boolean
  readonly refunds: Map<string, Refund>
  dispute: Dispute | null
}

/** The stream of a payment's events. */
export const paymentStream = (paymentId: string): string => `payment/${paymentId}`

/** Where captured money is until the order takes it, and refunds until they are back. */
export const paymentAccount = (paymentId: string): AccountId => walletOf(paymentId, PAYMENT_ASSET)

export const created = (plan: PaymentPlan, at: number): PaymentState => ({
  plan,
  isDirect: false,
  createdAt: at,
  version: 1,
  stage: "created",
  reference: null,
  failure: null,
  capturedAt: null,
  requestId: null,
  taken: null,
  isReturned: false,
  refunds: new Map(),
  dispute: null
})

/** What an order's payment is where it was made without a plan: from a wallet, at once. */
export const paidDirectly = (
  orderId: string,
  payer: PaymentPlan["payer"],
  { amount, paymentId }: Pick<OrderPayment, "amount" | "paymentId">,
  at: number
): PaymentState => ({
  ...created(
    { paymentId, orderId, payer, provider: "wallet", instrument: null, amount, extent: "all", capture: "automatic" },
    at
  ),
  isDirect: true,
  version: 0,
  stage: "captured",
  capturedAt: at,
  taken: amount
})

/** Whose wallet pays, in the ledger's name. */
export const payerWallet = ({ payer }: PaymentPlan): AccountId => walletOf(payer.userId, PAYMENT_ASSET)

/** Applies one recorded event of the payment's own stream, in place. */
export const evolve = (state: PaymentState, event: PaymentEvent): void => {
  state.version += 1
  switch (event._tag) {
    case "PaymentCreated":
      return
    case "PaymentAuthorized":
      state.stage = "authorized"
      state.reference = event.reference
      return
    case "PaymentCaptureRequested":
      state.stage = "capturing"
      state.requestId = event.requestId
      return
    case "PaymentVoidRequested":
      state.stage = "voiding"
      state.requestId = event.requestId
      return
    case "PaymentCaptured":
      state.stage = "captured"
      state.capturedAt = event.at
      return
    case "PaymentFailed":
      state.stage = "failed"
      state.failure = event.reason
      return
    case "PaymentVoided":
      state.stage = "voided"
      return
    case "PaymentRefundRequested":
    case "PaymentRefunded":
    case "PaymentRefundFailed":
      return evolveRefund(state, event)
    case "PaymentDisputed":
      state.dispute = { disputeId: event.disputeId, amount: event.amount, state: "open", changedAt: event.at }
      return
    case "PaymentDisputeWon":
    case "PaymentDisputeLost":
      if (state.dispute !== null) {
        const ended = event._tag === "PaymentDisputeWon" ? "won" : "lost"
        state.dispute = { ...state.dispute, state: ended, changedAt: event.at }
      }
  }
}

type RefundEvent = Extract<
  PaymentEvent,
  { readonly _tag: "PaymentRefundRequested" | "PaymentRefunded" | "PaymentRefundFailed" }
>

const evolveRefund = (state: PaymentState, event: RefundEvent): void => {
  const { refundId, at } = event
  if (event._tag === "PaymentRefundRequested") {
    const { amount, seller } = event
    const before = state.refunds.get(refundId)
    state.refunds.set(refundId, {
      refundId,
      amount,
      seller,
      requestedAt: before?.requestedAt ?? at,
      askedAt: at,
      attempts: (before?.attempts ?? 0) + 1,
      state: "pending",
      failure: null,
      settledAt: null
    })
    return
  }
  const refund = state.refunds.get(refundId)
  if (refund === undefined) return
  const ended =
    event._tag === "PaymentRefunded"
      ? ({ state: "succeeded", failure: null } as const)
      : ({ state: "failed", failure: event.reason } as const)
  state.refunds.set(refundId, { ...refund, ...ended, settledAt: at })
}

const sumOf = (state: PaymentState, which: (refund: Refund) => boolean): bigint => {
  let sum = 0n
  for (const refund of state.refunds.values()) if (which(refund)) sum += refund.amount
  return sum
}

/** A refund that may be asked for anew: a seller has its money again, and asks for another one. */
export const isDeclined = ({ seller, state }: Refund): boolean => seller === null && state === "failed"

/** What the provider gave us: all of the amount, or nothing. */
export const capturedOf = ({ plan, stage }: PaymentState): Amount => (stage === "captured" ? plan.amount : ZERO)

/** What of it the order has now. */
export const appliedOf = ({ isReturned, taken }: PaymentState): Amount => (isReturned ? ZERO : (taken ?? ZERO))

/** What is on its way back to the instrument. */
export const refundingOf = (state: PaymentState): Amount =>
  fromUnits(sumOf(state, (refund) => refund.state === "pending"))

/** What is back at the instrument. A direct payment goes back to its wallet with the order's cancellation. */
export const refundedOf = (state: PaymentState): Amount =>
  fromUnits(
    sumOf(state, (refund) => refund.state === "succeeded") +
      (state.isDirect && state.isReturned ? state.plan.amount : 0n)
  )

/** What was given back from a seller's wallet, or is about to be. */
export const givenBackFrom = (state: PaymentState, wallet: AccountId): Amount =>
  fromUnits(sumOf(state, (refund) => refund.state !== "failed" && refund.seller?.wallet === wallet))

/** What was captured and the order does not have, and is not on its way back yet. */
export const unneededOf = (state: PaymentState): Amount => {
  if (state.isDirect) return ZERO
  const back = sumOf(state, (refund) => refund.state !== "failed" && refund.seller === null)
  return fromUnits(capturedOf(state) - appliedOf(state) - back)
}

/** The last refund of what the order does not need, where it was declined and is to be asked for anew. */
export const declinedRefund = (state: PaymentState): Refund | undefined => {
  const last = [...state.refunds.values()].findLast(({ seller }) => seller === null)
  return last !== undefined && isDeclined(last) ? last : undefined
}

/** How often what the order does not need was declined. */
export const declinesOf = (state: PaymentState): number =>
  [...state.refunds.values()].filter(isDeclined).reduce((sum, { attempts }) => sum + attempts, 0)

/** Whether somebody else decides now who has the money. */
export const isContested = ({ dispute }: PaymentState): boolean => dispute !== null && dispute.state !== "won"

export const PAYMENT_STATUSES = [
  "processing",
  "authorized",
  "captured",
  "partially_refunded",
  "refunded",
  "failed",
  "voided"
] as const

/** What a caller is told: `processing` as long as the provider's answer is awaited. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const statusOf = (state: PaymentState): PaymentStatus =>
  publicStatus(state.stage, state.plan.amount, refundedOf(state))

/** The status that follows from a payment's row. */
export const publicStatus = (stage: PaymentStage, amount: Amount, refunded: Amount): PaymentStatus => {
  switch (stage) {
    case "created":
    case "capturing":
    case "voiding":
      return "processing"
    case "captured":
      if (refunded === ZERO) return "captured"
      return refunded === amount ? "refunded" : "partially_refunded"
    default:
      return stage
  }
}
