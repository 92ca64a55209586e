import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { clientOf, colleagueOf, erase, register, setQuantity, usd } from "../../lib/ErasedSeller.ts"
import { Market, type ProductJson, type Trader } from "../../lib/Market.ts"

const subscribe = (market: Market, by: Trader, { id }: ProductJson) =>
  market.server.post<{ readonly id: string; readonly message: string }>(
    "/v1/subscriptions",
    { company_id: by.companyId, product_id: id, quantity: 1, interval: "week", start: "2026-10-30T12:00:00.000Z" },
    { as: by.id }
  )

describe("Whoever was erased", () => {
  itLive("gets no orders, subscriptions or pieces for sale, nor does a client of it", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [seller, buyer] = [yield* register(market, "gone@example.com"), yield* market.trader(usd(100))]
      const colleague = yield* colleagueOf(market, seller)
      const client = yield* clientOf(market, seller)
      const products = [yield* market.offer(seller, 1, 0), yield* market.offer(client, 1, 0)]
      expect((yield* erase(market, seller))[0]).toBe(200)
      for (const product of products) {
        expect((yield* setQuantity(market, product, "1", colleague)).text).toContain("offer it as a new product")
        expect((yield* setQuantity(market, product, "0", colleague)).status).toBe(200)
        expect((yield* market.order(buyer, [[product.id, 1]])).json.message).toContain("there is no")
        expect((yield* subscribe(market, buyer, product)).json.message).toContain("there is no")
      }
      expect((yield* erase(market, colleague))[0]).toBe(200)
    })
  )
})
