import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { viewFor } from "../../engine/commerce/PurchaseOrderView.ts"
import type { PurchaseRecord } from "../../engine/commerce/PurchaseRecord.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { type PaymentFacts, paymentFacts } from "../../engine/payments/PaymentObject.ts"
import type { Payer } from "../../engine/payments/PaymentRequests.ts"
import { shareOf } from "../../engine/payments/PaymentShare.ts"
import type { Page } from "../api/Paging.ts"
import { PurchaseOrders } from "../commerce/PurchaseOrders.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { pageOf, type UnknownCursor } from "../database/Keyset.ts"
import type { FilterTooWide } from "../database/MetadataColumn.ts"
import { dieOnRefusal } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import type { MoneyGate } from "../identity/MoneyGate.ts"
import { conclude, giveBack } from "./PaymentActs.ts"
import { createPayment, type PaymentRequest } from "./PaymentCreation.ts"
import { PaymentDriver } from "./PaymentDriver.ts"
import type { PaymentProviders } from "./PaymentProviders.ts"
import { NoSuchPayment, type PaymentRefused } from "./PaymentsError.ts"
import { type PaymentPage, PaymentRepository } from "./PaymentRepository.ts"
import { PaymentSituations } from "./PaymentSituations.ts"

type Services =
  | MoneyGate
  | PaymentDriver
  | PaymentProviders
  | PaymentRepository
  | PaymentSituations
  | PurchaseOrders
  | SecureRandom
  | UnitOfWork

/** A seller's shares of payments that are put together at a time. */
const SHARES_AT_ONCE = 8

type Answer<A> = Effect.Effect<A, PaymentRefused | Unavailable>

/**
 * How companies pay for orders. Whatever is asked for is recorded first and then driven as far as the provider lets it;
 * `key` is that of the request, under which it does nothing twice.
 */
export class Payments extends Context.Service<
  Payments,
  {
    readonly create: (by: Payer, request: PaymentRequest, key: string | undefined) => Answer<PaymentFacts>
    readonly capture: (paymentId: string, by: Payer, key: string | undefined) => Answer<PaymentFacts>
    readonly void: (paymentId: string, by: Payer, key: string | undefined) => Answer<PaymentFacts>
    /** Gives back what a seller of the order was paid: all that is left where no amount is named. */
    readonly refund: (
      paymentId: string,
      by: Payer,
      amount: Amount | undefined,
      key: string | undefined
    ) => Answer<PaymentFacts>
    /**
     * A payment of an order in which the caller's company takes part, of which a seller sees its own share alone; any for an
     * administrator.
     */
    readonly find: (
      paymentId: string,
      by: Payer,
      isAdmin: boolean
    ) => Effect.Effect<PaymentFacts, NoSuchPayment | Unavailable>
    /** The company that pays what somebody pays of an order: the one that buys, where the caller may buy for it. */
    readonly payerOf: (orderId: string, by: Payer) => Effect.Effect<string, Unavailable>
    /** The companies whose metadata the list of the same caller shows. */
    readonly keepers: (
      by: Payer,
      isAdmin: boolean,
      orderId: string | undefined
    ) => Effect.Effect<ReadonlyArray<string>, FilterTooWide | Unavailable>
    /** The company's payments, or those of one order in which it takes part, of which a seller sees its shares; newest first. */
    readonly list: (
      by: Payer,
      isAdmin: boolean,
      orderId: string | undefined,
      page: Page
    ) => Effect.Effect<PaymentPage, Unavailable | UnknownCursor>
  }
>()("emporion/payments/Payments") {
  static readonly layer: Layer.Layer<Payments, never, Services> = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

/** What of payments the caller's company may see. */
const seeing = Effect.gen(function* () {
  const orders = yield* PurchaseOrders
  const situations = yield* PaymentSituations

  /** The order and the company that the caller takes part in it as; undefined where it takes no part. */
  const seen = (orderId: string, by: Payer) =>
    orders.find(orderId, by).pipe(Effect.catchTag("OrderNotFound", () => Effect.succeed(undefined)))

  const share = Effect.fnUntraced(function* (paymentId: string, as: string) {
    const situation = yield* situations.find(paymentId)
    const own = situation === undefined ? undefined : shareOf(situation.state, situation.purchase, as)
    return own === undefined ? undefined : paymentFacts(own.state, own.updatedAt)
  })

  /** A payment as the caller's company may see it. */
  const shown = Effect.fnUntraced(function* (view: PaymentFacts, by: Payer) {
    if (view.companyId === by.companyId) return view
    const part = yield* seen(view.orderId, by)
    if (part === undefined) return undefined
    return part.as === view.companyId ? view : yield* share(view.paymentId, part.as)
  })

  /** The shares that a seller was given of its order, the newest first. */
  const shares = Effect.fnUntraced(function* (order: PurchaseRecord, as: string, asked: Page) {
    const given = viewFor(order, as).state.payments.toReversed()
    const { next, rows, total } = yield* pageOf(given, ({ paymentId }) => paymentId, asked)
    const found = yield* Effect.forEach(rows, ({ paymentId }) => share(paymentId, as), { concurrency: SHARES_AT_ONCE })
    return { payments: found.filter((view) => view !== undefined), total, next }
  })

  const payerOf = (orderId: string, by: Payer) =>
    Effect.map(seen(orderId, by), (part) => {
      const buyer = part?.order.state.terms.buyer.companyId
      return buyer !== undefined && buyer === part?.as ? buyer : by.companyId
    })

  return { seen, shares, shown, payerOf }
})

const make = Effect.gen(function* () {
  const context = yield* Effect.context<Services>()
  const repository = yield* PaymentRepository
  const { payerOf, seen, shares, shown } = yield* seeing
  const { drive } = yield* PaymentDriver
  const inside = Effect.provideContext(context)

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
      acted(paymentId, inside(giveBack(paymentId, by, amount, key)).pipe(dieOnRefusal)).pipe(
        Effect.flatMap((view) => shown(view, by)),
        Effect.flatMap((view) => (view === undefined ? new NoSuchPayment({ paymentId }) : Effect.succeed(view)))
      )
    ),
    find: Effect.fn("Payments.find")(function* (paymentId, by, isAdmin) {
      const view = yield* repository.find(paymentId)
      const found = view === undefined || isAdmin ? view : yield* shown(view, by)
      return found ?? (yield* new NoSuchPayment({ paymentId }))
    }),
    payerOf,
    keepers: (by, isAdmin, orderId) => {
      if (isAdmin) return repository.keepers(orderId)
      const keeper = orderId === undefined ? Effect.succeed(by.companyId) : payerOf(orderId, by)
      return Effect.map(keeper, (companyId) => [companyId])
    },
    list: Effect.fn("Payments.list")(function* (by, isAdmin, orderId, page) {
      if (isAdmin) return yield* repository.list({ companyId: undefined, orderId }, page)
      const part = orderId === undefined ? undefined : yield* seen(orderId, by)
      if (part === undefined) return yield* repository.list({ companyId: by.companyId, orderId }, page)
      const isBuyer = part.as === part.order.state.terms.buyer.companyId
      if (isBuyer) return yield* repository.list({ companyId: undefined, orderId }, page)
      return yield* shares(part.order, part.as, page)
    })
  })
})
