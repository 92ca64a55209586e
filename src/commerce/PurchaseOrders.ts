import { Clock, Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Entry } from "../../engine/actor/Journal.ts"
import { paymentShortage, refundShortage } from "../../engine/commerce/OrderPlacing.ts"
import { type OrderSummary, summaryOf } from "../../engine/commerce/OrderObject.ts"
import { purchaseOrderStream } from "../../engine/commerce/PurchaseOrder.ts"
import { sellerIdsOf } from "../../engine/commerce/PurchaseOrder.ts"
import { type ActingUser, cancel, fulfil, pay } from "../../engine/commerce/PurchaseOrderDecision.ts"
import type {
  CreditExceeded,
  CreditFrozen,
  IllegalOrderAct,
  InvalidOrder,
  ItemNotFound,
  NotAParty,
  OutOfStock,
  PaymentFirst,
  RefundShort,
  WalletShort
} from "../../engine/commerce/PurchaseOrderError.ts"
import type { PurchaseOrderEvent } from "../../engine/commerce/PurchaseOrderEvent.ts"
import { viewFor } from "../../engine/commerce/PurchaseOrderView.ts"
import { type PurchaseRecord, record, recordOf } from "../../engine/commerce/PurchaseRecord.ts"
import type { AccountId } from "../../engine/ledger/Account.ts"
import type { Page } from "../api/Paging.ts"
import { Credit } from "../credit/Credit.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import type { FilterTooWide } from "../database/MetadataColumn.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { Companies } from "../identity/companies/Companies.ts"
import { KycRecords } from "../identity/KycRecords.ts"
import { MoneyGate, type MoneyGateClosed } from "../identity/MoneyGate.ts"
import * as Refusal from "./CommerceError.ts"
import { idempotencyOf, type KeptReply } from "./KeptReply.ts"
import { type Begun, makePlacing, type NewOrder } from "./PlaceOrder.ts"
import { Pricing } from "./Pricing.ts"
import type { Trader } from "./Products.ts"
import { type OrderFilter, PurchaseOrderRepository } from "./PurchaseOrderRepository.ts"

/** An order as one of those who take part in it sees it. */
export interface SeenOrder {
  readonly order: PurchaseRecord
  /** The company that the caller takes part as: the buyer, or a seller. */
  readonly as: string
}

/** The same with everything that happened to it, oldest first. */
export interface SeenHistory extends SeenOrder {
  readonly events: ReadonlyArray<PurchaseOrderEvent>
}

/** How an order is paid. */
export interface NewPayment {
  /** The same one pays once. */
  readonly paymentId: string
  /** What it is paid from, and refunded to. */
  readonly from: AccountId
  readonly extent: "next" | "all"
  readonly kept?: KeptReply<SeenOrder> | undefined
}

type Services =
  | Companies
  | Credit
  | KycRecords
  | MoneyGate
  | Pricing
  | PurchaseOrderRepository
  | SecureRandom
  | UnitOfWork

/** Whatever else there is would be copied for every act. */
const narrowed: (context: Context.Context<Services>) => Context.Context<Services> = Context.pick(
  Companies,
  Credit,
  KycRecords,
  MoneyGate,
  Pricing,
  PurchaseOrderRepository,
  SecureRandom,
  UnitOfWork
)

/** The company that somebody takes part in an order as. The buyer's manager takes part as the buyer. */
const companyIn = Effect.fnUntraced(function* (by: Trader, { state: { terms } }: PurchaseRecord) {
  const { companyId } = by
  const buyerId = terms.buyer.companyId
  if (companyId === buyerId || sellerIdsOf(terms).has(companyId)) return companyId
  const mayBuy = yield* Effect.flatMap(Companies, ({ mayBuyFor }) => mayBuyFor(companyId, buyerId))
  return mayBuy ? buyerId : undefined
})

/** An order with its events, for those who take part in it. */
const seen = Effect.fnUntraced(function* (by: Trader, orderId: string) {
  const events = yield* Effect.flatMap(PurchaseOrderRepository, (repository) => repository.events(orderId))
  const order = recordOf(events)
  const as = order === undefined ? undefined : yield* companyIn(by, order)
  if (order === undefined || as === undefined) return yield* new Refusal.OrderNotFound({ orderId })
  return { order, as, events }
})

/** Orders as a company may see them: of one that it sells in, the row says what is the others' too. */
const shownTo = Effect.fnUntraced(function* (
  companyId: string,
  orders: ReadonlyArray<OrderSummary>,
  repository: PurchaseOrderRepository["Service"]
) {
  const sold = orders.filter(({ buyerCompanyId }) => buyerCompanyId !== companyId).map(({ orderId }) => orderId)
  if (sold.length === 0) return orders
  const histories = yield* repository.histories(sold)
  return orders.map((order) => {
    const record = recordOf(histories.get(order.orderId) ?? [])
    return record === undefined ? order : summaryOf(viewFor(record, companyId))
  })
})

type Decision<R> = (order: PurchaseRecord, actor: ActingUser) => Result.Result<Entry<PurchaseOrderEvent>, R> | undefined

/** Decides an act on an order as it is and writes it, anew while others come first. Undefined: it was done before. */
const act = <R>(by: Trader, orderId: string, decide: Decision<R>, kept: KeptReply<SeenOrder> | undefined) =>
  Effect.gen(function* () {
    const { as, order } = yield* seen(by, orderId)
    const decided = decide(order, { userId: by.userId, companyId: as, at: yield* Clock.currentTimeMillis })
    if (decided === undefined) return { order, as }
    const entry = yield* Effect.fromResult(decided)
    const { version } = order.state
    record(order, entry.event)
    const idempotency = idempotencyOf(kept, { order, as })
    yield* writeEntry({ stream: purchaseOrderStream(orderId), version, entry: { ...entry, idempotency } })
    return { order, as } satisfies SeenOrder
  }).pipe(retryStale)

const payOrder = Effect.fnUntraced(function* (orderId: string, payment: NewPayment, by: Trader) {
  const decide: Decision<NotAParty | IllegalOrderAct> = ({ state }, actor) =>
    state.payments.some(({ paymentId }) => paymentId === payment.paymentId) ? undefined : pay(state, payment, actor)
  yield* Effect.flatMap(MoneyGate, ({ open }) => open(by.userId)).pipe(
    Effect.catchTag("MoneyGateClosed", (closed) => Effect.andThen(seen(by, orderId), Effect.fail(closed)))
  )
  return yield* act(by, orderId, decide, payment.kept).pipe(
    Effect.catchTag("InsufficientFunds", (short) => Effect.fail(paymentShortage(short))),
    dieOnRefusal
  )
})

const cancelOrder = (orderId: string, reason: string, by: Trader, kept: KeptReply<SeenOrder> | undefined) =>
  act(by, orderId, ({ state }, actor) => cancel(state, reason, actor), kept).pipe(
    Effect.catchTag("InsufficientFunds", (short) => Effect.fail(refundShortage(short))),
    dieOnRefusal
  )

const fulfilOrder = (orderId: string, by: Trader, kept: KeptReply<SeenOrder> | undefined) =>
  act(by, orderId, ({ state }, actor) => fulfil(state, actor), kept).pipe(dieOnRefusal)

export type PlaceRefused =
  | Refusal.BuyerNotFound
  | Refusal.KycRequired
  | ItemNotFound
  | OutOfStock
  | CreditExceeded
  | CreditFrozen
  | InvalidOrder

export type PayRefused = Refusal.OrderNotFound | WalletShort | MoneyGateClosed | NotAParty | IllegalOrderAct

/** What companies buy of each other. Whoever takes part in no order of an id is told that there is none. */
export class PurchaseOrders extends Context.Service<
  PurchaseOrders,
  {
    /** Takes the stock of all items and, on credit, the buyer's limit, or nothing. Specification 4.2, POST /v1/orders. */
    readonly place: (
      by: Trader,
      order: NewOrder,
      kept?: KeptReply<PurchaseRecord>
    ) => Effect.Effect<PurchaseRecord, PlaceRefused | Unavailable>
    /**
     * The same without a fiber: begins at once, and has what says its outcome given to a function, once, which must not throw.
     * False where something has to be read first, or refused: then nothing was done.
     */
    readonly begin: (
      by: Trader,
      order: NewOrder,
      kept: KeptReply<PurchaseRecord> | undefined,
      give: (begun: () => Begun) => void
    ) => boolean
    /** Pays the sellers. A payment id that was paid with before changes nothing, and answers the order as it is. */
    readonly pay: (
      orderId: string,
      payment: NewPayment,
      by: Trader
    ) => Effect.Effect<SeenOrder, PayRefused | Unavailable>
    /** Takes the caller's goods out of its stock, as delivered. */
    readonly fulfil: (
      orderId: string,
      by: Trader,
      kept?: KeptReply<SeenOrder>
    ) => Effect.Effect<SeenOrder, Refusal.OrderNotFound | NotAParty | IllegalOrderAct | PaymentFirst | Unavailable>
    /** Gives back stock, limit and what was paid. */
    readonly cancel: (
      orderId: string,
      reason: string,
      by: Trader,
      kept?: KeptReply<SeenOrder>
    ) => Effect.Effect<SeenOrder, Refusal.OrderNotFound | RefundShort | NotAParty | IllegalOrderAct | Unavailable>
    /** The companies whose metadata the list of the same caller and filter shows. */
    readonly keepers: (
      by: Trader,
      filter: OrderFilter
    ) => Effect.Effect<ReadonlyArray<string>, Refusal.BuyerNotFound | FilterTooWide | Unavailable>
    readonly find: (orderId: string, by: Trader) => Effect.Effect<SeenOrder, Refusal.OrderNotFound | Unavailable>
    readonly history: (orderId: string, by: Trader) => Effect.Effect<SeenHistory, Refusal.OrderNotFound | Unavailable>
    /**
     * The orders of the caller's company, or of one that it manages, newest first, and how many there are. What it sells
     * is as {@link viewFor} shows it.
     */
    readonly list: (
      by: Trader,
      filter: OrderFilter,
      page: Page
    ) => Effect.Effect<
      { readonly orders: ReadonlyArray<OrderSummary>; readonly total: number; readonly next: string | undefined },
      Refusal.BuyerNotFound | Unavailable | UnknownCursor
    >
  }
>()("emporion/commerce/PurchaseOrders") {
  static readonly layer: Layer.Layer<PurchaseOrders, never, Services> = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = narrowed(yield* Effect.context<Services>())
      const repository = yield* PurchaseOrderRepository
      const companies = yield* Companies
      const inside = Effect.provideContext(context)
      const placing = yield* makePlacing
      const listing = Effect.fnUntraced(function* (by: Trader, { companyId }: OrderFilter) {
        const may = companyId === by.companyId || (yield* companies.mayBuyFor(by.companyId, companyId))
        if (!may) return yield* new Refusal.BuyerNotFound({ companyId })
      })
      return PurchaseOrders.of({
        place: placing.place,
        begin: placing.begin,
        pay: Effect.fn("PurchaseOrders.pay")((orderId, payment, by) => inside(payOrder(orderId, payment, by))),
        fulfil: Effect.fn("PurchaseOrders.fulfil")((orderId, by, kept) => inside(fulfilOrder(orderId, by, kept))),
        cancel: Effect.fn("PurchaseOrders.cancel")((orderId, reason, by, kept) =>
          inside(cancelOrder(orderId, reason, by, kept))
        ),
        keepers: (by, filter) => Effect.andThen(listing(by, filter), repository.keepers(filter)),
        find: (orderId, by) => inside(seen(by, orderId)),
        history: (orderId, by) => inside(seen(by, orderId)),
        list: Effect.fnUntraced(function* (by, filter, page) {
          const { companyId } = filter
          yield* listing(by, filter)
          const { orders, ...counted } = yield* repository.list(filter, page)
          return { orders: yield* shownTo(companyId, orders, repository), ...counted }
        })
      })
    })
  )
}
