import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { Amount } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import type { MoneyGate } from "../identity/MoneyGate.ts"
import { conclude, giveBack } from "./PaymentActs.ts"
import { createPayment, type Payer, type PaymentRequest } from "./PaymentCreation.ts"
import { PaymentDriver } from "./PaymentDriver.ts"
import type { PaymentProviders } from "./PaymentProviders.ts"
import { NoSuchPayment, type PaymentRefused } from "./PaymentRefusal.ts"
import { type PaymentPage, PaymentRepository } from "./PaymentRepository.ts"
import type { PaymentSituations } from "./PaymentSituations.ts"
import type { PaymentView } from "./PaymentView.ts"

type Services =
  | MoneyGate
  | PaymentDriver
  | PaymentProviders
  | PaymentRepository
  | PaymentSituations
  | PurchaseOrders
  | SecureRandom
  | UnitOfWork

type Answer<A> = Effect.Effect<A, PaymentRefused | Unavailable>

/**
 * How companies pay for orders. Whatever is asked for is recorded first and then driven as far as the provider lets it;
 * `key` is that of the request, under which it does nothing twice.
 */
export class Payments extends Context.Service<
  Payments,
  {
    readonly create: (by: Payer, request: PaymentRequest, key: string | undefined) => Answer<PaymentView>
    readonly capture: (paymentId: string, by: Payer, key: string | undefined) => Answer<PaymentView>
    readonly void: (paymentId: string, by: Payer, key: string | undefined) => Answer<PaymentView>
    /** Gives back what a seller of the order was paid: all that is left where no amount is named. */
    readonly refund: (
      paymentId: string,
      by: Payer,
      amount: Amount | undefined,
      key: string | undefined
    ) => Answer<PaymentView>
    /** A payment of an order in which the caller's company takes part; any for an administrator. */
    readonly find: (
      paymentId: string,
      by: Payer,
      isAdmin: boolean
    ) => Effect.Effect<PaymentView, NoSuchPayment | Unavailable>
    /** The company's payments, or those of one order in which it takes part, newest first. */
    readonly list: (
      by: Payer,
      isAdmin: boolean,
      orderId: string | undefined,
      page: Page
    ) => Effect.Effect<PaymentPage, Unavailable>
  }
>()("emporion/payments/Payments") {
  static readonly layer: Layer.Layer<Payments, never, Services> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const context = yield* Effect.context<Services>()
  const repository = yield* PaymentRepository
  const orders = yield* PurchaseOrders
  const { drive } = yield* PaymentDriver
  const inside = Effect.provideContext(context)

  const takesPart = (orderId: string, by: Payer) =>
    orders.find(orderId, by).pipe(
      Effect.as(true),
      Effect.catchTag("OrderNotFound", () => Effect.succeed(false))
    )

  const driven = Effect.fnUntraced(function* (paymentId: string) {
    yield* drive(paymentId)
    const view = yield* repository.find(paymentId)
    return view ?? (yield* Effect.die(`the payment ${paymentId} was recorded and is not there`))
  })

  const acted = <E extends PaymentRefused>(paymentId: string, act: Effect.Effect<void, E | Unavailable>) =>
    Effect.andThen(act, driven(paymentId))

  return Payments.of({
    create: Effect.fn("Payments.create")((by, request, key) =>
      Effect.flatMap(inside(createPayment(by, request, key)).pipe(dieOnRefusal), driven)
    ),
    capture: Effect.fn("Payments.capture")((paymentId, by, key) =>
      acted(paymentId, inside(conclude("capture", paymentId, by, key)).pipe(dieOnRefusal))
    ),
    void: Effect.fn("Payments.void")((paymentId, by, key) =>
      acted(paymentId, inside(conclude("void", paymentId, by, key)).pipe(dieOnRefusal))
    ),
    refund: Effect.fn("Payments.refund")((paymentId, by, amount, key) =>
      acted(paymentId, inside(giveBack(paymentId, by, amount, key)).pipe(dieOnRefusal))
    ),
    find: Effect.fn("Payments.find")(function* (paymentId, by, isAdmin) {
      const view = yield* repository.find(paymentId)
      const isSeen =
        view !== undefined && (isAdmin || view.companyId === by.companyId || (yield* takesPart(view.orderId, by)))
      return isSeen ? view : yield* new NoSuchPayment({ paymentId })
    }),
    list: Effect.fn("Payments.list")(function* (by, isAdmin, orderId, page) {
      if (isAdmin) return yield* repository.list({ companyId: undefined, orderId }, page)
      const isParty = orderId !== undefined && (yield* takesPart(orderId, by))
      return yield* repository.list({ companyId: isParty ? undefined : by.companyId, orderId }, page)
    })
  })
})
