import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../../lib/Effects.ts"
import { rowsOf } from "../../../lib/PlantedPerson.ts"
import { Market } from "../../../lib/Market.ts"
import { TestServer } from "../../../lib/TestServer.ts"

/** A buyer, and what it may order. */
const marketOf = Effect.gen(function* () {
  const market = yield* Market.make()
  const [buyer, seller] = [yield* market.trader(), yield* market.trader()]
  const { id } = yield* market.offer(seller, 1, 10)
  const order = {
    company_id: buyer.companyId,
    items: [{ product_id: id, quantity: 1 }],
    payment_terms: { type: "prepaid" }
  }
  return { server: market.server, buyer: buyer.id, order }
})

describe("A kept answer with sealed texts", () => {
  itLive("is sent to a retry as it was sent first", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const as = yield* server.admin
      const company = { name: "Made once", email: "once@planted.example", phone: "+32 2 111 22 33" }
      const send = server.post("/v1/companies", company, { as, key: "once" })
      const first = yield* send
      expect([first.status, first.json]).toMatchObject([200, company])
      const retried = yield* send
      expect([retried.text, retried.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
      expect(yield* server.run(rowsOf)).not.toContain(company.email)
    })
  )

  itLive("has its metadata in the order of the first answer", () =>
    Effect.gen(function* () {
      const { server, ...market } = yield* marketOf
      const metadata = Object.fromEntries([..."hgfedcba"].map((key) => [key, `of ${key}`]))
      const body = { ...market.order, metadata }
      const send = server.post("/v1/orders", body, { as: market.buyer, key: "ordered" })
      const first = yield* send
      expect([first.status, first.json]).toMatchObject([200, { metadata }])
      const retried = yield* send
      expect([retried.text, retried.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
    })
  )
})
