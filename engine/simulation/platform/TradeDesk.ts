import { Clock, Effect, type Result } from "effect"
import type { Entry } from "../../actor/Journal.ts"
import { retryStale } from "../../actor/StaleRetry.ts"
import { claimsOf, nextFound } from "../../commerce/Arrears.ts"
import {
  linesOf,
  paymentShortage,
  placementShortage,
  preconditionsOf,
  refundShortage,
  stockIn
} from "../../commerce/OrderPlacing.ts"
import { dueStep } from "../../commerce/OverdueDecision.ts"
import { isOnCredit } from "../../commerce/PaymentTerms.ts"
import { productStream } from "../../commerce/Product.ts"
import { list, revise } from "../../commerce/ProductDecision.ts"
import type { ProductFacts } from "../../commerce/ProductFacts.ts"
import { creditLimitOf, purchaseOrderStream, sellerIdsOf, unpaidOf } from "../../commerce/PurchaseOrder.ts"
import { type ActingUser, cancel, fulfil, pay, place } from "../../commerce/PurchaseOrderDecision.ts"
import { CreditFrozen } from "../../commerce/PurchaseOrderError.ts"
import type { PurchaseOrderEvent } from "../../commerce/PurchaseOrderEvent.ts"
import type { PurchaseRecord } from "../../commerce/PurchaseRecord.ts"
import { countOf, stockOf } from "../../commerce/Stock.ts"
import type { AccountId } from "../../ledger/Account.ts"
import { walletOf } from "../../ledger/Funding.ts"
import { mergedMetadata, type MetadataChange } from "../../metadata/Metadata.ts"
import { type Amount, fromUnits } from "../../money/Amount.ts"
import type { OrderMoney } from "../../payments/PaymentWorld.ts"
import type { Refusal } from "../../wire/Refusal.ts"
import type { CompanyRequest } from "./CompanyPlan.ts"
import {
  anew,
  type Caller,
  counted,
  type DeskWorld,
  FirstMeanings,
  keyed,
  type Served,
  type WriteFailure
} from "./DeskWorld.ts"

type Asked<A extends CompanyRequest["act"]> = Extract<CompanyRequest, { readonly act: A }>

type Decided = (
  order: PurchaseRecord,
  actor: ActingUser
) => Result.Result<Entry<PurchaseOrderEvent>, Refusal> | undefined

/** So many keys of a caller's own. */
const keysOf = (count: number): MetadataChange =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`key_${number}`, `${number}`]))

const factsOf = (name: string, price: Amount): ProductFacts => ({
  name,
  description: "",
  price,
  type: "Commodity",
  insurable: false,
  bidable: false,
  isContract: false
})

const isOpen = ({ state }: PurchaseRecord): boolean => !state.isCancelled && state.fulfilledBy.size === 0

/** What companies sell, and what they order of each other. */
export class TradeDesk {
  readonly #world: DeskWorld
  /** The products or the order that a request means. */
  readonly #meant = new FirstMeanings<ReadonlyArray<string>>()
  /** Takes back what was repaid above a lowered limit. */
  readonly #prepare: (caller: Caller) => Effect.Effect<void, WriteFailure>

  constructor(world: DeskWorld, prepare: (caller: Caller) => Effect.Effect<void, WriteFailure>) {
    this.#world = world
    this.#prepare = prepare
  }

  list(by: Caller, { pieces, price }: Asked<"list">, key: string): Served {
    return Effect.gen({ self: this }, function* () {
      const { newId, write } = this.#world
      const productId = newId("prd")
      const at = yield* Clock.currentTimeMillis
      const entry = list({ facts: factsOf(productId, price), pieces, productId }, { ...by, at })
      yield* write({ stream: productStream(productId), version: 0, entry: { ...entry, idempotency: keyed(key) } })
      return "ProductListed"
    })
  }

  revise(by: Caller, { available, keys, price, product: number, stranger }: Asked<"revise">, key: string): Served {
    const { projection, write } = this.#world
    return retryStale(
      Effect.gen({ self: this }, function* () {
        const [productId = ""] = this.#meant.of(key, () => this.#productNamed(by, number, stranger))
        const product = projection.products.get(productId)
        // A seller's own products are all that its service lets it revise.
        if (product?.companyId !== by.companyId) return "NoProduct"
        const { companyId, version } = product
        const left = countOf(this.#available(stockOf(companyId, productId)))
        const at = yield* Clock.currentTimeMillis
        const metadata = yield* Effect.fromResult(mergedMetadata(product.metadata, keysOf(keys)))
        const facts = keys === 0 ? { price } : { price, metadata }
        const entry = revise(product, left, { facts, available }, { ...by, at })
        if (entry === undefined) return "Unchanged"
        const stream = productStream(productId)
        yield* write({ stream, version, entry: { ...entry, idempotency: keyed(key) } }).pipe(
          Effect.catchTag("InsufficientFunds", anew(stream, version))
        )
        return "ProductRevised"
      })
    )
  }

  #productNamed({ companyId }: Caller, number: number, stranger: boolean): ReadonlyArray<string> {
    const products = [...this.#world.projection.products.values()].filter(
      (product) => (product.companyId === companyId) !== stranger
    )
    const product = counted(products, number)
    return product === undefined ? [] : [product.productId]
  }

  #available(id: AccountId): Amount {
    const { balance, held } = this.#world.account(id)
    return fromUnits(balance - held)
  }

  order(by: Caller, { items, terms: paymentTerms, wrong }: Asked<"order">, key: string): Served {
    const { newId, projection, write } = this.#world
    const attempt = Effect.gen({ self: this }, function* () {
      const productIds = this.#meant.of(key, () =>
        items.map(({ product }) => {
          const [known] = wrong === "unknown" ? [] : this.#productNamed(by, product, wrong !== "own")
          return known ?? "prd_none"
        })
      )
      const named = items.map(({ quantity }, line) => ({ productId: productIds[line] ?? "prd_none", quantity }))
      const quotes = projection.quoted(named.map(({ productId }) => productId))
      const lines = yield* Effect.fromResult(linesOf(by.companyId, named, quotes))
      const unclaimed = isOnCredit(paymentTerms) ? yield* this.#clear(by.companyId) : []
      const orderId = newId("pur")
      const buyer = { companyId: by.companyId, creditLimit: creditLimitOf(by.userId) }
      const actor = { ...by, at: yield* Clock.currentTimeMillis }
      const entry = yield* Effect.fromResult(place({ orderId, buyer, lines, paymentTerms }, actor, stockIn(quotes)))
      yield* write({
        stream: purchaseOrderStream(orderId),
        version: 0,
        isNew: true,
        preconditions: preconditionsOf(quotes),
        unclaimed,
        entry: { ...entry, idempotency: keyed(key) }
      })
      return "PurchaseOrderPlaced"
    })
    const prepared = isOnCredit(paymentTerms) ? this.#prepare(by) : Effect.void
    return Effect.andThen(prepared, retryStale(attempt)).pipe(
      Effect.catchTag("InsufficientFunds", (short) =>
        Effect.fail(placementShortage(short, this.#available(short.account)))
      )
    )
  }

  /** What says that nothing more of a company is found overdue, of which nothing is now. */
  #clear(companyId: string): Effect.Effect<ReadonlyArray<string>, CreditFrozen> {
    const arrears = this.#world.projection.arrears(companyId)
    const { first, others, owed } = arrears
    return first === undefined
      ? Effect.succeed([nextFound(arrears)])
      : Effect.fail(new CreditFrozen({ first, others, owed }))
  }

  /** The orders of which an instalment is to be reminded of, or overdue. */
  due(now: number): ReadonlyArray<string> {
    return [...this.#world.projection.orders.values()].flatMap(({ state }) =>
      dueStep(state, now) === undefined ? [] : [state.terms.orderId]
    )
  }

  /** Records what is due of an order, on the version that was read: whoever comes first takes it. */
  step(orderId: string): Effect.Effect<void, WriteFailure> {
    const { projection, write } = this.#world
    return retryStale(
      Effect.gen(function* () {
        const state = projection.orders.get(orderId)?.state
        const entry = state === undefined ? undefined : dueStep(state, yield* Clock.currentTimeMillis)
        if (state === undefined || entry === undefined) return
        const claims = claimsOf(entry.event, [projection.arrears(entry.event.companyId)])
        yield* write({ stream: purchaseOrderStream(orderId), version: state.version, claims, entry })
      })
    )
  }

  payOrder(by: Caller, { extent, order, stranger }: Asked<"payOrder">, key: string): Served {
    const [orderId] = this.#meant.of(key, () =>
      this.#named(by, order, stranger, "buyer", ({ state }) => unpaidOf(state) > 0n)
    )
    if (orderId === undefined) return Effect.succeed("NoOrder")
    const payment = { paymentId: `pmt_${key}`, from: walletOf(by.userId, "USD"), extent }
    return this.pay(orderId, payment, by, key)
  }

  /** Pays an order. A payment that was made before changes nothing. */
  pay(orderId: string, payment: OrderMoney, by: Caller, key?: string): Served {
    const decide: Decided = ({ state }, actor) =>
      state.payments.some(({ paymentId }) => paymentId === payment.paymentId) ? undefined : pay(state, payment, actor)
    return this.#act(by, orderId, decide, key).pipe(
      Effect.catchTag("InsufficientFunds", (short) => Effect.fail(paymentShortage(short)))
    )
  }

  fulfil(by: Caller, { order, stranger }: Asked<"fulfil">, key: string): Served {
    const [orderId] = this.#meant.of(key, () =>
      this.#named(by, order, stranger, "seller", ({ state }) => !state.isCancelled && unpaidOf(state) === 0n)
    )
    if (orderId === undefined) return Effect.succeed("NoOrder")
    return this.#act(by, orderId, ({ state }, actor) => fulfil(state, actor), key)
  }

  cancel(by: Caller, { order, stranger }: Asked<"cancelOrder">, key: string): Served {
    const [orderId] = this.#meant.of(key, () =>
      this.#named(by, order, stranger, "any", ({ state }) => state.payments.length > 0)
    )
    if (orderId === undefined) return Effect.succeed("NoOrder")
    return this.#act(by, orderId, ({ state }, actor) => cancel(state, "changed its mind", actor), key).pipe(
      Effect.catchTag("InsufficientFunds", (short) => Effect.fail(refundShortage(short)))
    )
  }

  #act(by: Caller, orderId: string, decide: Decided, key: string | undefined): Served {
    const { projection, write } = this.#world
    return retryStale(
      Effect.gen(function* () {
        const order = projection.orders.get(orderId)
        if (order === undefined) return "NoOrder"
        const decided = decide(order, { ...by, at: yield* Clock.currentTimeMillis })
        if (decided === undefined) return "AlreadyDone"
        const entry = yield* Effect.fromResult(decided)
        const idempotency = key === undefined ? undefined : keyed(key)
        yield* write({
          stream: purchaseOrderStream(orderId),
          version: order.state.version,
          entry: { ...entry, idempotency }
        })
        return entry.event._tag
      })
    )
  }

  /**
   * One of the orders that the caller takes part in so, or of those that are none of its business: mostly of those that
   * are ready for the act, if there are any.
   */
  #named(
    by: Caller,
    number: number,
    stranger: boolean,
    role: "buyer" | "seller" | "any",
    isReady: (order: PurchaseRecord) => boolean
  ): ReadonlyArray<string> {
    const takesPart = ({ state: { terms } }: PurchaseRecord): boolean =>
      (role !== "seller" && terms.buyer.companyId === by.companyId) ||
      (role !== "buyer" && sellerIdsOf(terms).has(by.companyId))
    const orders = [...this.#world.projection.orders.values()].filter((order) => takesPart(order) !== stranger)
    const ready = orders.filter((order) => isOpen(order) && isReady(order))
    const order = counted(ready.length === 0 || number % 4 === 0 ? orders : ready, number)
    return order === undefined ? [] : [order.state.terms.orderId]
  }
}
