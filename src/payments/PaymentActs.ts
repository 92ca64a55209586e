import { Clock, Effect } from "effect"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import { WalletTooLow } from "../../engine/payments/PaymentError.ts"
import * as Requests from "../../engine/payments/PaymentRequests.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import { retryStale } from "../database/EntryWriting.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { record } from "./PaymentRecord.ts"
import * as Refusal from "./PaymentsError.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { requestIdOf } from "./RequestId.ts"

type Payer = Requests.Payer

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
    const of = { at: yield* Clock.currentTimeMillis, userId: by.userId, requestId }
    const event = yield* Effect.fromResult(Requests.conclude(state, act, as, of))
    if (event !== undefined) yield* record(state, event)
  })
  yield* retryStale(attempt)
})

/** Sets money of a seller aside to go back. A repetition under its key changes nothing. */
export const giveBack = Effect.fnUntraced(function* (
  paymentId: string,
  by: Payer,
  amount: Amount | undefined,
  key: string | undefined
) {
  yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId))
  const refundId = yield* requestIdOf("rfd", key)
  const attempt = Effect.gen(function* () {
    const { as, situation } = yield* seen(paymentId, by)
    const at = yield* Clock.currentTimeMillis
    const event = yield* Effect.fromResult(Requests.giveBack(situation, as, by, { refundId, amount, at }))
    if (event !== undefined) yield* record(situation.state, event)
  })
  yield* retryStale(attempt).pipe(
    Effect.catchTag("InsufficientFunds", ({ available }) =>
      Effect.fail(new WalletTooLow({ available: fromUnits(available) }))
    )
  )
})
