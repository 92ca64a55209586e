import { describe, expect } from "bun:test"
import { Context, Deferred, Effect, Exit, Layer } from "effect"
import fc from "fast-check"
import { productStream } from "../../../engine/commerce/Product.ts"
import { creditLimitOf } from "../../../engine/commerce/PurchaseOrder.ts"
import { stockOf } from "../../../engine/commerce/Stock.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import type { Begun, NewOrder } from "../../../src/commerce/PlaceOrder.ts"
import { PurchaseOrders } from "../../../src/commerce/PurchaseOrders.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { MoneyGateClosed } from "../../../src/identity/MoneyGate.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { withLayer } from "../../lib/Effects.ts"
import { Market, type PurchaseOrderJson, type Trader } from "../../lib/Market.ts"
import { runs } from "../../lib/Property.ts"

class TheMarket extends Context.Service<TheMarket, Market>()("test/PurchaseOrders/Market") {}

const it = withLayer(Layer.effect(TheMarket, Market.make()))

const usd = (dollars: number): Amount => fromUnits(BigInt(dollars) * ONE)
const all = { concurrency: "unbounded" } as const
const tally = (statuses: ReadonlyArray<number>) => {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return Object.fromEntries(counts)
}

interface Turn {
  readonly act: "order" | "pay" | "fulfil" | "cancel"
  readonly who: number
  readonly what: number
  readonly pieces: number
  readonly terms: unknown
  readonly instalments: string
}

const turn: fc.Arbitrary<Turn> = fc.record({
  act: fc.constantFrom<Turn["act"]>("order", "order", "pay", "pay", "fulfil", "cancel"),
  who: fc.nat(2),
  what: fc.nat(99),
  pieces: fc.integer({ min: 1, max: 4 }),
  terms: fc.constantFrom<unknown>({ type: "prepaid" }, { type: "net_30" }, { type: "installments", installments: 3 }),
  instalments: fc.constantFrom("next", "all")
})

/** The money of all traders is what they began with, and each one's limit is used by what it owes. */
const audited = (market: Market, traders: ReadonlyArray<Trader>) =>
  Effect.gen(function* () {
    const wallets = yield* Effect.forEach(traders, ({ id }) => market.account(walletOf(id, "USD")))
    expect(wallets.reduce((sum, { balance }) => sum + balance, 0n)).toBe(BigInt(traders.length) * usd(60))
    for (const { companyId, id } of traders) {
      const [owed] = yield* market.sql<{ owed: string }>(`
        SELECT coalesce(sum(amount - paid), 0)::text AS owed FROM purchase_orders
        WHERE buyer_company_id = '${companyId}' AND terms <> 'prepaid' AND status <> 'cancelled'`)
      const { balance, held } = yield* market.account(creditLimitOf(id))
      expect([balance, held]).toEqual([usd(90), fromUnits(BigInt(owed?.owed ?? 0))])
    }
  })

describe("PurchaseOrders", () => {
  it("give 50 racing orders exactly the pieces that there are", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const seller = yield* market.trader()
      const [one, other] = [yield* market.offer(seller, 1, 30), yield* market.offer(seller, 1, 100)]
      const buyers = yield* Effect.replicateEffect(market.trader(), 5)
      const items = [
        [other.id, 1],
        [one.id, 2]
      ] as const
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => buyers[index % 5]!),
        (buyer) => market.order(buyer, items),
        all
      )
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 15, 409: 35 })
      expect(yield* market.product(one.id, seller)).toMatchObject({ quantity: "0", available: false, reserved: "30" })
      expect(yield* market.product(other.id, seller)).toMatchObject({ quantity: "85", reserved: "15" })
      const refused = yield* market.order(buyers[0]!, [[one.id, 1]])
      expect(refused.json.message).toBe(`There are 0 pieces of ${one.id} left: order at most that many.`)
    }))

  it("give racing orders on credit exactly the limit that there is", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader(undefined, usd(100))]
      const product = yield* market.offer(seller, 7, 1_000)
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => market.order(buyer, [[product.id, 1]], { type: "installments", installments: 3 }),
        all
      )
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 14, 422: 6 })
      expect(yield* market.account(creditLimitOf(buyer.id))).toEqual({ balance: usd(100), held: usd(98) })
      expect(answers.find(({ status }) => status === 422)?.json.message).toStartWith("The free credit limit is 2 USD")
    }))

  it("take an order of 1,000 lines of many sellers at once", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const sellers = yield* Effect.replicateEffect(market.trader(), 10)
      const products = yield* Effect.forEach(
        Array.from({ length: 1_000 }, (_, index) => sellers[index % 10]!),
        (seller) => market.offer(seller, 0.5, 10),
        { concurrency: 50 }
      )
      const buyer = yield* market.trader(usd(2_000))
      const items = products.map(({ id }) => [id, 3] as const)
      const { json, status } = yield* market.order(buyer, items, { type: "prepaid" }, "thousand")
      expect([status, json.items.length, json.amount, json.sellers.length]).toEqual([200, 1_000, 1_500, 10])
      const again = yield* market.order(buyer, items, { type: "prepaid" }, "thousand")
      expect([again.headers.get("idempotency-replayed"), again.json]).toEqual(["true", json])
      expect((yield* market.product(products[0]!.id, buyer)).quantity).toBe("7")
      const paid = yield* market.act(json, "pay", buyer)
      expect([paid.json.status, paid.json.amount_due]).toEqual(["paid", 0])
      const beyond = yield* market.order(buyer, [...items, items[0]!])
      expect(beyond.json.message).toBe("payload.items: Expected 1 to 1000 items")
    }))

  it("charge what a product costs when they are recorded, however often its price changes", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const product = yield* market.offer(seller, 1, 100_000)
      const path = `/v1/commerce/products/${product.id}`
      const revise = (price: number) => market.server.request("PUT", path, { price }, { as: seller.id })
      const answers = yield* Effect.forEach(
        Array.from({ length: 120 }, (_, index) => index),
        (index) => (index % 4 === 0 ? revise(index + 1) : market.order(buyer, [[product.id, 1]])),
        { concurrency: 16 }
      )
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 120 })
      const events = yield* market.sql<{ type: string; data: string }>(`
        SELECT type, data FROM events
        WHERE type IN ('ProductListed', 'ProductRevised', 'PurchaseOrderPlaced') AND data LIKE '%${product.id}%'
        ORDER BY seq`)
      let price = ""
      const prices = new Set<string>()
      for (const { data, type } of events) {
        const event = JSON.parse(data) as {
          facts?: { price: string }
          changes?: { price?: string }
          terms?: { lines: ReadonlyArray<{ unitPrice: string }> }
        }
        if (type === "PurchaseOrderPlaced")
          expect(event.terms?.lines.map(({ unitPrice }) => unitPrice)).toEqual([price])
        else price = event.facts?.price ?? event.changes?.price ?? price
        prices.add(price)
      }
      expect(prices.size).toBeGreaterThan(20)
    }))

  it("pay with the same payment once, and let none pay who may not send money", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader(usd(100), usd(100))]
      const product = yield* market.offer(seller, 10, 10)
      const { json: order } = yield* market.order(buyer, [[product.id, 3]], { type: "installments", installments: 3 })
      const orders = market.server.service(PurchaseOrders)
      const by = { userId: buyer.id, companyId: buyer.companyId }
      const payment = { paymentId: "pay_of_a_provider_1", from: walletOf(buyer.id, "USD"), extent: "next" } as const
      const paid = yield* Effect.forEach([1, 2, 3], () => Effect.orDie(orders.pay(order.id, payment, by)), all)
      for (const seen of paid) expect([...seen.order.state.paidInstalments]).toEqual([1])
      expect((yield* market.account(walletOf(seller.id, "USD"))).balance).toBe(usd(10))
      yield* market.server.run(Effect.flatMap(Users, ({ setStatus }) => setStatus(buyer.id, "pending_kyc")))
      const refused = yield* Effect.flip(orders.pay(order.id, { ...payment, paymentId: "pay_2" }, by))
      expect(refused).toBeInstanceOf(MoneyGateClosed)
      const { json, status } = yield* market.act(order, "pay", buyer)
      expect([status, json.code]).toEqual([403, "access_denied"])
      expect((yield* market.account(creditLimitOf(buyer.id))).held).toBe(usd(20))
    }))

  it("let one of many racing acts happen, and the others know of it", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader(usd(1_000))]
      const product = yield* market.offer(seller, 10, 10)
      const { json: order } = yield* market.order(buyer, [[product.id, 5]])
      for (const [act, by] of [
        ["pay", buyer],
        ["fulfil", seller]
      ] as const) {
        const answers = yield* Effect.forEach(Array.from({ length: 12 }), () => market.act(order, act, by), all)
        expect([act, tally(answers.map(({ status }) => status))]).toEqual([act, { 200: 1, 409: 11 }])
      }
      expect((yield* market.account(walletOf(seller.id, "USD"))).balance).toBe(usd(50))
    }))

  it("keep the answer for retries in the transaction of the order, and none of what was refused", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const product = yield* market.offer(seller, 10, 10)
      const { place } = market.server.service(PurchaseOrders)
      const by = { userId: buyer.id, companyId: buyer.companyId }
      const placing = (name: string, quantity: number) =>
        place(
          by,
          {
            companyId: buyer.companyId,
            items: [{ productId: product.id, quantity }],
            paymentTerms: { type: "prepaid" }
          },
          {
            key: name.repeat(64),
            fingerprint: "f".repeat(64),
            answer: ({ state }) => ({ status: 200, body: state.terms.orderId })
          }
        )
      const placed = yield* Effect.orDie(placing("a", 3))
      yield* Effect.flip(placing("b", 8))
      const kept = yield* market.sql<{ key: string; body: string }>(`
        SELECT key, body FROM idempotency_keys WHERE key IN ('${"a".repeat(64)}', '${"b".repeat(64)}')`)
      expect([...kept]).toEqual([{ key: "a".repeat(64), body: placed.state.terms.orderId }])
    }))

  it("begin without a fiber where nothing has to be asked, and then go as in one, whatever comes between", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const product = yield* market.offer(seller, 10, 10)
      const orders = market.server.service(PurchaseOrders)
      const by = { userId: buyer.id, companyId: buyer.companyId }
      const orderOf = (quantity: number, change: Partial<NewOrder> = {}): NewOrder => ({
        companyId: buyer.companyId,
        items: [{ productId: product.id, quantity }],
        paymentTerms: { type: "prepaid" },
        ...change
      })
      const begun = (order: NewOrder) =>
        Effect.suspend(() => {
          const done = Deferred.makeUnsafe<Begun>()
          return orders.begin(by, order, undefined, (outcome) => Deferred.doneUnsafe(done, Exit.succeed(outcome())))
            ? Effect.exit(Effect.flatten(Deferred.await(done)))
            : Effect.undefined
        })
      expect(yield* begun(orderOf(1))).toBeUndefined()
      yield* market.order(buyer, [[product.id, 1]])
      const placed = yield* begun(orderOf(2))
      expect(placed).toMatchObject({ value: { order: { state: { terms: { total: usd(20) } } } } })
      for (const change of [
        { companyId: seller.companyId },
        { paymentTerms: { type: "net_30" } },
        { items: [{ productId: "prd_none", quantity: 1 }] },
        { items: [] }
      ] as const) {
        expect([change, yield* begun(orderOf(1, change))]).toEqual([change, undefined])
      }
      expect(yield* begun(orderOf(8))).toMatchObject(Exit.fail({ _tag: "OutOfStock", productId: product.id, left: 7 }))
      const selling = { userId: seller.id, companyId: seller.companyId }
      market.server.service(UnitOfWork).tell(
        {
          stream: productStream(product.id),
          version: null,
          entries: [
            {
              commands: [],
              event: {
                _tag: "ProductRevised",
                at: 1,
                ...selling,
                productId: product.id,
                changes: { price: usd(11) },
                stock: null
              }
            }
          ]
        },
        () => {}
      )
      expect(yield* begun(orderOf(1))).toMatchObject({ value: { order: { state: { terms: { total: usd(11) } } } } })
      const placedPieces = yield* market.sql<{ pieces: string }>(`
        SELECT (held / 1000000)::integer::text AS pieces FROM ledger_accounts
        WHERE id = '${stockOf(seller.companyId, product.id)}'`)
      expect([...placedPieces]).toEqual([{ pieces: "4" }])
    }))

  it("keep money, pieces and limits through anything that buyers and sellers do at once", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const traders = yield* Effect.replicateEffect(market.trader(usd(60), usd(90)), 3)
      const shelves = yield* Effect.forEach(traders, (trader) =>
        Effect.map(market.offer(trader, 7.33, 12), (product) => ({ trader, product }))
      )
      const placed: Array<PurchaseOrderJson> = []
      const take = (taken: Turn): Effect.Effect<void> =>
        Effect.gen(function* () {
          const trader = traders[taken.who]!
          const order = placed[taken.what % Math.max(1, placed.length)]
          if (taken.act === "order") {
            const items = shelves
              .filter((shelf) => shelf.trader !== trader)
              .map(({ product }) => [product.id, taken.pieces] as const)
            const { json, status } = yield* market.order(trader, items, taken.terms)
            expect([200, 409, 422]).toContain(status)
            if (status === 200) placed.push(json)
          } else if (order !== undefined) {
            const { status } = yield* market.act(order, taken.act, trader, { instalments: taken.instalments })
            expect([200, 403, 409, 422]).toContain(status)
          }
        })
      const rounds = fc.sample(fc.array(turn, { minLength: 2, maxLength: 6 }), Math.ceil(runs() / 8))
      for (const round of rounds) {
        yield* Effect.forEach(round, take, all)
        yield* audited(market, traders)
      }
      expect(placed.length).toBeGreaterThan(0)
      const goods = yield* Effect.forEach(shelves, ({ product, trader }) =>
        market.account(stockOf(trader.companyId, product.id))
      )
      for (const { balance, held } of goods) expect(held >= 0n && held <= balance).toBe(true)
      expect(yield* market.faults).toEqual([])
    }))
})
