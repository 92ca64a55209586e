import { Clock, Effect } from "effect"
import { type Amount, fromUnits, ZERO } from "../../engine/money/Amount.ts"
import { walletOf } from "../../engine/ledger/Funding.ts"
import { PAYMENT_ASSET } from "../../engine/payments/Payment.ts"
import type { PaymentEvent } from "../../engine/payments/PaymentEvent.ts"
import { RefundTooLarge } from "../../engine/payments/PaymentError.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import { retryStale } from "../database/EntryWriting.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { type PaidShare, paidShares } from "./DisputeShares.ts"
import { isWholeCents } from "./PaymentProvider.ts"
import type { Payer } from "./PaymentCreation.ts"
import { record } from "./PaymentRecord.ts"
import * as Refusal from "./PaymentsError.ts"
import { type PaymentSituation, PaymentSituations } from "./PaymentSituations.ts"
import { requestIdOf } from "./RequestId.ts"

/** A payment of an order in which the caller's company takes part, and as which company. */
const seen = Effect.fnUntraced(function* (paymentId: string, by: Payer) {
  const situation = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
  const gone = () => Effect.fail(new Refusal.NoSuchPayment({ paymentId }))
  if (situation === undefined) return yield* gone()
  const { orderId } = situation.state.plan
  const { as } = yield* Effect.flatMap(PurchaseOrders, ({ find }) => find(orderId, by)).pipe(
    Effect.catchTag("OrderNotFound", gone)
  )
  return { situation, as }
})

/** Says that an authorized payment is to be taken, or let go. A repetition under its key changes nothing. */
export const conclude = Effect.fnUntraced(function* (
  act: "capture" | "void",
  paymentId: string,
  by: Payer,
  key: string | undefined
) {
  if (act === "capture") yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId))
  const requestId = yield* requestIdOf("pay", key)
  const attempt = Effect.gen(function* () {
    const { as, situation } = yield* seen(paymentId, by)
    const { state } = situation
    if (as !== state.plan.payer.companyId) return yield* new Refusal.WrongParty({ party: "buyer" })
    if (state.requestId === requestId) return
    const of = { at: yield* Clock.currentTimeMillis, paymentId, userId: by.userId, requestId }
    const event: PaymentEvent =
      act === "capture"
        ? { _tag: "PaymentCaptureRequested", ...of }
        : { _tag: "PaymentVoidRequested", ...of, reason: "requested" }
    yield* record(state, event)
  })
  yield* retryStale(attempt)
})

/** The wallet that gives the money back: the caller's own if it was paid, else the one that has most to give. */
const givingShare = (shares: ReadonlyArray<PaidShare>, by: Payer): PaidShare | undefined =>
  shares.find(({ amount, wallet }) => wallet === walletOf(by.userId, PAYMENT_ASSET) && amount > ZERO) ??
  shares.reduce<PaidShare | undefined>(
    (most, share) => (most === undefined || share.amount > most.amount ? share : most),
    undefined
  )

const refundable = Effect.fnUntraced(function* ({ order, state }: PaymentSituation, as: string, by: Payer) {
  const { orderId, payer } = state.plan
  const mine = paidShares(state, order).filter(({ companyId }) => companyId === as)
  if (as === payer.companyId) return yield* new Refusal.WrongParty({ party: "seller" })
  if (state.stage === "captured" && !order.isCancelled && order.fulfilledBy.size === 0) {
    return yield* new Refusal.CancelInstead({ orderId })
  }
  const share = givingShare(mine, by)
  return share ?? (yield* new RefundTooLarge({ left: ZERO }))
})

/** Sets money of a seller aside to go back. A repetition under its key changes nothing. */
export const giveBack = Effect.fnUntraced(function* (
  paymentId: string,
  by: Payer,
  wanted: Amount | undefined,
  key: string | undefined
) {
  yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId))
  const refundId = yield* requestIdOf("rfd", key)
  const attempt = Effect.gen(function* () {
    const { as, situation } = yield* seen(paymentId, by)
    const { state } = situation
    if (state.refunds.has(refundId)) return
    const { amount: left, companyId, part, wallet } = yield* refundable(situation, as, by)
    const amount = wanted ?? left
    if (amount <= ZERO || amount > left) return yield* new RefundTooLarge({ left })
    if (state.plan.provider !== "wallet" && !isWholeCents(amount)) return yield* new Refusal.NotWholeCents({ amount })
    const seller = { userId: by.userId, companyId, wallet, part }
    const at = yield* Clock.currentTimeMillis
    const { orderId } = state.plan
    yield* record(state, { _tag: "PaymentRefundRequested", at, paymentId, refundId, orderId, amount, seller })
  })
  yield* retryStale(attempt).pipe(
    Effect.catchTag("InsufficientFunds", ({ available }) =>
      Effect.fail(new Refusal.WalletTooLow({ available: fromUnits(available) }))
    )
  )
})
