import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { itLive } from "../../lib/Effects.ts"
import { Market, type ProductJson, type Trader } from "../../lib/Market.ts"

const PAGE = "/v1/commerce/products?limit=20"

/** Rounds of the race, each with an order, a change and readers at once. */
const ROUNDS = 12

const usd = (units: number) => fromUnits(BigInt(units) * ONE)

const pageOf = ({ server }: Market, as: Trader, path = PAGE) =>
  Effect.map(server.get<ReadonlyArray<ProductJson>>(path, as.id), ({ headers, json }) => ({
    products: json,
    total: headers.get("x-total-count")
  }))

describe("CachedProducts", () => {
  itLive("never shows a reader what was before an order or a change that was answered", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const products = yield* Effect.forEach([1, 2, 3], () => market.offer(seller, 1, 1_000))
      const taken = products.map(() => 0)
      const prices = products.map(() => 1)
      const look = Effect.gen(function* () {
        const [fewest, least] = [[...taken], [...prices]]
        const [page, ...ones] = yield* Effect.all(
          [pageOf(market, buyer), ...products.map(({ id }) => market.product(id, buyer))] as const,
          { concurrency: "unbounded" }
        )
        for (const shown of [page.products, ones]) {
          expect(shown).toHaveLength(products.length)
          shown.forEach(({ id, price, quantity, reserved }) => {
            const index = products.findIndex((product) => product.id === id)
            expect(1_000 - Number(quantity)).toBeGreaterThanOrEqual(fewest[index] ?? 0)
            expect(Number(quantity) + Number(reserved)).toBe(1_000)
            expect(price).toBeGreaterThanOrEqual(least[index] ?? 0)
          })
        }
      })
      const order = (index: number) =>
        Effect.gen(function* () {
          expect((yield* market.order(buyer, [[products[index]?.id ?? "", 1]])).status).toBe(200)
          taken[index] = (taken[index] ?? 0) + 1
          yield* look
        })
      const change = (index: number, price: number) =>
        Effect.gen(function* () {
          const path = `/v1/commerce/products/${products[index]?.id}`
          expect((yield* market.server.request("PUT", path, { price }, { as: seller.id })).status).toBe(200)
          prices[index] = price
          yield* look
        })
      for (let round = 0; round < ROUNDS; round++) {
        const here = round % products.length
        const there = (round + 1) % products.length
        yield* Effect.all([look, order(here), look, change(there, 2 + round), look], { concurrency: "unbounded" })
      }
    })
  )

  itLive("shows what is new, delivered and cancelled at once, and is ready for the same question", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [seller, buyer] = [yield* market.trader(), yield* market.trader(usd(1_000))]
      const bolt = yield* market.offer(seller, 2, 10)
      const shown = Effect.gen(function* () {
        const [one, again] = [yield* market.product(bolt.id, buyer), yield* market.product(bolt.id, buyer)]
        const { products, total } = yield* pageOf(market, buyer)
        expect(again).toEqual(one)
        expect(products.filter(({ id }) => id === bolt.id)).toEqual([one])
        return [one.quantity, one.reserved, total]
      })
      expect(yield* shown).toEqual(["10", "0", "1"])
      const { json: first } = yield* market.order(buyer, [[bolt.id, 3]])
      const { json: second } = yield* market.order(buyer, [[bolt.id, 2]])
      expect(yield* shown).toEqual(["5", "5", "1"])
      expect((yield* market.act(first, "cancel", buyer)).status).toBe(200)
      expect(yield* shown).toEqual(["8", "2", "1"])
      expect((yield* market.act(second, "pay", buyer)).status).toBe(200)
      expect((yield* market.act(second, "fulfil", seller)).status).toBe(200)
      expect(yield* shown).toEqual(["8", "0", "1"])
      yield* market.offer(seller, 3, 1)
      expect(yield* shown).toEqual(["8", "0", "2"])
      const flagged = `${PAGE}&bidable=true`
      expect((yield* pageOf(market, buyer, flagged)).products).toEqual([])
      const path = `/v1/commerce/products/${bolt.id}`
      yield* market.server.request("PUT", path, { bidable: true }, { as: seller.id })
      expect((yield* pageOf(market, buyer, flagged)).products.map(({ id }) => id)).toEqual([bolt.id])
    })
  )

  itLive("answers before the router as behind it, and refuses there", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const { server } = market
      const seller = yield* market.trader()
      const bolt = yield* market.offer(seller, 2, 10)
      const OWN = new Set(["x-request-id", "x-ratelimit-remaining", "date"])
      for (const path of [PAGE, `/v1/commerce/products/${bolt.id}`]) {
        const [routed, ready] = [yield* server.get(path, seller.id), yield* server.get(path, seller.id)]
        expect([ready.status, ready.text]).toEqual([200, routed.text])
        const [behind, before] = [routed, ready].map(({ headers }) =>
          [...headers].filter(([name]) => !OWN.has(name)).toSorted()
        )
        expect(before).toEqual(behind ?? [])
        expect((yield* server.get(path)).status).toBe(401)
      }
      expect((yield* server.get("/v1/commerce/products?limit=101", seller.id)).status).toBe(400)
      expect((yield* server.get("/v1/commerce/products/prd_none", seller.id)).status).toBe(404)
    })
  )
})
