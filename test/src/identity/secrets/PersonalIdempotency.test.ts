import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { NAMED, requestName } from "../../../../engine/cluster/RequestName.ts"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { IdempotencyRepository } from "../../../../src/http/IdempotencyRepository.ts"
import { Companies } from "../../../../src/identity/companies/Companies.ts"
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

  itLive("is sent to another node that asks again by its name as its caller would have had it", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const { companyId, id } = yield* server.user()
      const by = { userId: id, companyId, isAdmin: true, scopes: SCOPES, requestId: "once" }
      const given = { email: "named@planted.example", phone: "+32 2 111 22 33" }
      const name = requestName({ connection: "node.1", number: 1, behind: 0 })
      const keyed = { key: name, fingerprint: NAMED }
      const company = yield* server.service(Companies).create(by, { name: "Named", ...given }, keyed)
      const kept = yield* server.service(IdempotencyRepository).findNamed(name)
      expect([kept?.status, JSON.parse(kept?.body ?? "")]).toMatchObject([200, { id: company.id, ...given }])
      expect(yield* server.run(rowsOf)).not.toContain(given.email)
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
