import { Clock, Effect, Result, Struct } from "effect"
import { type Amount, ZERO } from "../../engine/money/Amount.ts"
import type { PaymentPlan, PaymentProviderName } from "../../engine/payments/PaymentPlan.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import { retryStale } from "../database/EntryWriting.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { takesOf } from "./OrderPart.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { record } from "./PaymentRecord.ts"
import * as Refusal from "./PaymentsError.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { requestIdOf } from "./RequestId.ts"

/** Payments of one order that may be under way at a time. */
export const MAX_OPEN = 20

/** Who asks, for which company. */
export interface Payer {
  readonly userId: string
  readonly companyId: string
}

/** How an order is to be paid. */
export interface PaymentRequest extends Omit<PaymentPlan, "paymentId" | "payer" | "instrument" | "amount"> {
  /** As the caller names it: it may be a card's number, and is neither kept nor repeated. */
  readonly instrument: string | undefined
}

const chosen = Effect.fnUntraced(function* (name: PaymentProviderName, instrument: string | undefined) {
  const providers = yield* PaymentProviders
  const provider = providers.find(name)
  if (provider === undefined) return yield* new Refusal.ProviderMissing({ provider: name, available: providers.names })
  const named = provider.instrument(instrument)
  if (Result.isFailure(named)) return yield* new Refusal.InstrumentRefused(named.failure)
  return { provider, instrument: named.success }
})

/** The order, for the company that buys. */
const bought = Effect.fnUntraced(function* (orderId: string, by: Payer) {
  const orders = yield* PurchaseOrders
  const { as, order } = yield* orders
    .find(orderId, by)
    .pipe(Effect.catchTag("OrderNotFound", () => Effect.fail(new Refusal.NoSuchOrder({ orderId }))))
  return as === order.state.terms.buyer.companyId ? order.state : yield* new Refusal.WrongParty({ party: "buyer" })
})

/** What a plan says of a request, as text. */
const askedIn = (plan: PaymentPlan): string => JSON.stringify(Struct.omit(plan, ["paymentId", "payer", "amount"]))

/** Who makes an order's next payment has counted all before it: of two that counted the same, one counts again. */
const claimOf = (orderId: string, total: number): string => `payment-of/${orderId}/${total}`

/** Begins a payment, and answers its id: the first one's where the request is repeated under its key. */
export const createPayment = Effect.fnUntraced(function* (by: Payer, request: PaymentRequest, key: string | undefined) {
  const { capture, extent, instrument: named, orderId, provider: name, ...others } = request
  const { instrument, provider } = yield* chosen(name, named)
  const order = yield* bought(orderId, by)
  yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId))
  const paymentId = yield* requestIdOf("pay", key)
  const payer = { userId: by.userId, companyId: order.terms.buyer.companyId }
  const planOf = (amount: Amount): PaymentPlan => {
    return { paymentId, orderId, payer, provider: provider.name, instrument, amount, extent, capture, ...others }
  }
  const attempt = Effect.gen(function* () {
    const before = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
    if (before !== undefined) {
      return askedIn(before.state.plan) === askedIn(planOf(ZERO)) ? paymentId : yield* new Refusal.KeyUsed()
    }
    const amount = takesOf(order, extent)
    if (amount === ZERO) return yield* new Refusal.NothingToPay({ orderId })
    if (!provider.takes(amount)) return yield* new Refusal.NotWholeCents({ amount })
    const { open, total } = yield* Effect.flatMap(PaymentRepository, ({ counts }) => counts(orderId))
    if (open >= MAX_OPEN) return yield* new Refusal.TooManyOpen({ most: MAX_OPEN })
    const at = yield* Clock.currentTimeMillis
    yield* record(undefined, { _tag: "PaymentCreated", at, plan: planOf(amount) }, [claimOf(orderId, total)])
    return paymentId
  })
  return yield* retryStale(attempt)
})
