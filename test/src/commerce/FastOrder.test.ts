import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { bothWays } from "../../lib/BothWays.ts"
import { itLive } from "../../lib/Effects.ts"
import { Market } from "../../lib/Market.ts"

describe("An order before the router", () => {
  itLive("is answered as the router answers it", () =>
    Effect.gen(function* () {
      const market = yield* Market.make()
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const bolt = yield* market.offer(seller, 2.5, 100)
      const order = {
        company_id: buyer.companyId,
        items: [{ product_id: bolt.id, quantity: 2 }],
        payment_terms: { type: "prepaid" }
      }
      const bodies: ReadonlyArray<unknown> = [
        order,
        { ...order, further: 1 },
        { ...order, company_id: seller.companyId },
        { ...order, items: [] },
        { ...order, items: [{ product_id: bolt.id, quantity: 0 }] },
        { ...order, items: [{ product_id: bolt.id, quantity: 1_000 }] },
        { ...order, items: [{ product_id: "prd_none", quantity: 1 }] },
        { ...order, payment_terms: { type: "net_30" } },
        { ...order, payment_terms: { type: "installments" } },
        { ...order, payment_terms: { type: "soon" } },
        {},
        null
      ]
      const statuses: Array<number | undefined> = []
      for (const body of bodies) {
        const [direct, routed] = yield* bothWays(market.server, "/v1/orders", buyer.id, JSON.stringify(body))
        expect(direct).toEqual(routed)
        statuses.push(direct?.status)
      }
      expect(statuses).toEqual([200, 200, 404, 400, 400, 409, 422, 422, 400, 400, 400, 400])
      expect((yield* market.product(bolt.id, buyer)).quantity).toBe("92")
    })
  )
})
