import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { ActivityRecorder } from "../../../src/analytics/ActivityRecorder.ts"
import { ActivityRepository } from "../../../src/analytics/ActivityRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const DAY = 86_400_000

interface Made {
  readonly id: string
}

const withdraw = Effect.fnUntraced(function* (as: string, whole: bigint) {
  const server = yield* Server
  yield* server.mint(as, fromUnits(whole * ONE))
  expect((yield* server.post("/v1/withdraw", { quantity: String(whole) }, { as })).status).toBe(200)
})

const doneBy = (companyId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const today = Math.floor(server.world.now / DAY)
    const days = yield* server.service(ActivityRepository).read({ companyId, from: today, to: today })
    return days.map(({ activity, times, volume }) => [activity, times, volume])
  })

const flushed = Effect.flatMap(Server, (server) => server.service(ActivityRecorder).flush)

describe("ActivityRecorder", () => {
  it("counts each event once, over flushes and restarts", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      yield* withdraw(id, 1n)
      yield* flushed
      yield* flushed
      expect(yield* doneBy(companyId)).toEqual([["withdrawals", 1, ONE]])
      yield* withdraw(id, 10n)
      yield* server.restart()
      yield* withdraw(id, 100n)
      yield* flushed
      yield* withdraw(id, 1_000n)
      yield* Effect.all([flushed, flushed], { concurrency: "unbounded" })
      expect(yield* doneBy(companyId)).toEqual([["withdrawals", 4, 1_111n * ONE]])
    }))

  it("counts an order for the company it is for, and for its seller", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const [distributor, seller] = [yield* server.user(), yield* server.user()]
      const product = { name: "Bolt", price: 0.25, description: "M8, zinc", quantity: "1000" }
      const { json: bolt } = yield* server.post<Made>("/v1/commerce/products", product, { as: seller.id })
      const as = distributor.id
      const { json: customer } = yield* server.post<Made>("/v1/companies", { name: "Customer" }, { as })
      const body = {
        company_id: customer.id,
        items: [{ product_id: bolt.id, quantity: 10 }],
        payment_terms: { type: "prepaid", installments: 1 }
      }
      expect((yield* server.post("/v1/orders", body, { as })).status).toBe(200)
      expect((yield* server.post("/v1/orders", body, { as: seller.id })).status).toBe(404)
      yield* flushed
      expect(yield* doneBy(customer.id)).toEqual([["orders_placed", 1, 2_500_000n]])
      expect(yield* doneBy(seller.companyId)).toEqual([["orders_received", 1, 2_500_000n]])
      expect(yield* doneBy(distributor.companyId)).toEqual([])
    }))

  it("answers what was done with what was asked", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      yield* withdraw(id, 3n)
      yield* flushed
      const { json } = yield* server.get("/v1/analytics/usage", id)
      const activities = [{ activity: "withdrawals", count: 1, volume_usd: "3" }]
      expect(json).toMatchObject({ totals: { activities } })
    }))
})
