import { Clock, Effect, Result } from "effect"
import type { PaymentPlan, PaymentProviderName } from "../../engine/payments/PaymentPlan.ts"
import { begin, buying, type Payer, repeated } from "../../engine/payments/PaymentRequests.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import { retryStale } from "../database/EntryWriting.ts"
import { MoneyGate } from "../identity/MoneyGate.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { record } from "./PaymentRecord.ts"
import * as Refusal from "./PaymentsError.ts"
import { PaymentRepository } from "./PaymentRepository.ts"
import { PaymentSituations } from "./PaymentSituations.ts"
import { requestIdOf } from "./RequestId.ts"

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
  return yield* Effect.as(Effect.fromResult(buying(order.state, as)), order.state)
})

/** Begins a payment, and answers its id: the first one's where the request is repeated under its key. */
export const createPayment = Effect.fnUntraced(function* (by: Payer, request: PaymentRequest, key: string | undefined) {
  const { instrument: named, provider: name, ...others } = request
  const { orderId } = others
  const { instrument, provider } = yield* chosen(name, named)
  const order = yield* bought(orderId, by)
  yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId))
  const paymentId = yield* requestIdOf("pay", key)
  const payer = { userId: by.userId, companyId: order.terms.buyer.companyId }
  const plan = { ...others, paymentId, payer, provider: provider.name, instrument }
  const attempt = Effect.gen(function* () {
    const before = yield* Effect.flatMap(PaymentSituations, ({ find }) => find(paymentId))
    if (before !== undefined) return yield* Effect.as(Effect.fromResult(repeated(before.state, plan)), paymentId)
    const counts = yield* Effect.flatMap(PaymentRepository, (repository) => repository.counts(orderId))
    const at = yield* Clock.currentTimeMillis
    const { claim, event } = yield* Effect.fromResult(begin(order, plan, counts, provider.takes, at))
    yield* record(undefined, event, [claim])
    return paymentId
  })
  return yield* retryStale(attempt)
})
