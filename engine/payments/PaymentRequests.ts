/** Decides what callers ask of payments: to begin one, to take or let go what is authorized, to give something back. */

import { Result, Struct } from "effect"
import type { PurchaseOrderState } from "../commerce/PurchaseOrder.ts"
import { walletOf } from "../ledger/Funding.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import { type PaidShare, paidShares } from "./DisputeShares.ts"
import { takesOf } from "./OrderPart.ts"
import { PAYMENT_ASSET, type PaymentState } from "./Payment.ts"
import {
  CancelInstead,
  KeyUsed,
  NothingPaid,
  NothingToPay,
  NotWholeCents,
  RefundTooLarge,
  TooManyOpen,
  WrongParty
} from "./PaymentError.ts"
import type { PaymentCreated, PaymentEvent, PaymentRefundRequested } from "./PaymentEvent.ts"
import type { PaymentPlan } from "./PaymentPlan.ts"
import { isWholeCents, type PaymentProvider } from "./PaymentProvider.ts"
import type { PaymentSituation } from "./PaymentWorld.ts"

/** Payments of one order that may be under way at a time. */
export const MAX_OPEN = 20

/** Who asks, for which company. */
export interface Payer {
  readonly userId: string
  readonly companyId: string
}

/** How many payments of an order were ever made, and how many of them are neither captured nor ended. */
export interface PaymentCounts {
  readonly total: number
  readonly open: number
}

/** A payment that begins, and the name that it takes: of two that counted the same before them, one counts again. */
export interface BegunPayment {
  readonly event: PaymentCreated
  readonly claim: string
}

/** What is asked for, without what it comes to. */
export type PlannedPayment = Omit<PaymentPlan, "amount">

/** A plan, in the order in which it is recorded. */
const planOf = (asked: PlannedPayment, amount: Amount): PaymentPlan => {
  const { capture, extent, instrument, orderId, payer, paymentId, provider, ...others } = asked
  return { paymentId, orderId, payer, provider, instrument, amount, extent, capture, ...others }
}

/** What a plan says of a request, as text. */
const askedIn = (plan: PaymentPlan): string => JSON.stringify(Struct.omit(plan, ["paymentId", "payer", "amount"]))

/** Whether a payment of before is the one that is asked for again under its key. */
export const repeated = (before: PaymentState, plan: PlannedPayment): Result.Result<void, KeyUsed> =>
  askedIn(before.plan) === askedIn(planOf(plan, ZERO)) ? Result.void : Result.fail(new KeyUsed())

/** The party of an order may pay it that buys. */
export const buying = (order: PurchaseOrderState, as: string): Result.Result<void, WrongParty> =>
  as === order.terms.buyer.companyId ? Result.void : Result.fail(new WrongParty({ party: "buyer" }))

/** Begins a payment of what an order would take now. */
export const begin = (
  order: PurchaseOrderState,
  plan: PlannedPayment,
  { open, total }: PaymentCounts,
  takes: PaymentProvider["takes"],
  at: number
): Result.Result<BegunPayment, NothingToPay | NotWholeCents | TooManyOpen> => {
  const { extent, orderId } = plan
  const amount = takesOf(order, extent)
  if (amount === ZERO) return Result.fail(new NothingToPay({ orderId }))
  if (!takes(amount)) return Result.fail(new NotWholeCents({ amount }))
  if (open >= MAX_OPEN) return Result.fail(new TooManyOpen({ most: MAX_OPEN }))
  return Result.succeed({
    event: { _tag: "PaymentCreated", at, plan: planOf(plan, amount) },
    claim: `payment-of/${orderId}/${total}`
  })
}

/** Takes what is authorized, or lets it go, for the buyer. Undefined: the same request did it before. */
export const conclude = (
  state: PaymentState,
  act: "capture" | "void",
  as: string,
  of: { readonly at: number; readonly userId: string; readonly requestId: string }
): Result.Result<PaymentEvent | undefined, WrongParty> => {
  const { payer, paymentId } = state.plan
  if (as !== payer.companyId) return Result.fail(new WrongParty({ party: "buyer" }))
  if (state.requestId === of.requestId) return Result.succeed(undefined)
  const { at, requestId, userId } = of
  const asked = { at, paymentId, userId, requestId }
  return Result.succeed(
    act === "capture"
      ? { _tag: "PaymentCaptureRequested", ...asked }
      : { _tag: "PaymentVoidRequested", ...asked, reason: "requested" }
  )
}

/** The wallet that gives the money back: the caller's own if it was paid, else the one that has most to give. */
const givingShare = (shares: ReadonlyArray<PaidShare>, by: Payer): PaidShare | undefined =>
  shares.find(({ amount, wallet }) => wallet === walletOf(by.userId, PAYMENT_ASSET) && amount > ZERO) ??
  shares.reduce<PaidShare | undefined>(
    (most, share) => (most === undefined || share.amount > most.amount ? share : most),
    undefined
  )

/** Sets money of a seller aside to go back: all that is left where no amount is named. Undefined: it was done before. */
export const giveBack = (
  { order, state }: Pick<PaymentSituation, "order" | "state">,
  as: string,
  by: Payer,
  asked: { readonly refundId: string; readonly amount: Amount | undefined; readonly at: number }
): Result.Result<
  PaymentRefundRequested | undefined,
  WrongParty | CancelInstead | NothingPaid | RefundTooLarge | NotWholeCents
> => {
  const { orderId, payer, paymentId, provider } = state.plan
  const { at, refundId } = asked
  if (state.refunds.has(refundId)) return Result.succeed(undefined)
  if (as === payer.companyId) return Result.fail(new WrongParty({ party: "seller" }))
  if (state.stage === "captured" && !order.isCancelled && order.fulfilledBy.size === 0) {
    return Result.fail(new CancelInstead({ orderId }))
  }
  const mine = paidShares(state, order).filter(({ companyId }) => companyId === as)
  const share = givingShare(mine, by)
  if (share === undefined) return Result.fail(new NothingPaid())
  const { amount: left, companyId, part, wallet } = share
  const amount = asked.amount ?? left
  if (amount <= ZERO || amount > left) return Result.fail(new RefundTooLarge({ left }))
  if (provider !== "wallet" && !isWholeCents(amount)) return Result.fail(new NotWholeCents({ amount }))
  const seller = { userId: by.userId, companyId, wallet, part }
  return Result.succeed({ _tag: "PaymentRefundRequested", at, paymentId, refundId, orderId, amount, seller })
}
