import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { Market, type Trader } from "../../lib/Market.ts"

class TheMarket extends Context.Service<TheMarket, Market>()("test/PriceLists/Market") {}

const it = withLayer(Layer.effect(TheMarket, Market.make()))

const PATH = "/v1/commerce/price-lists"

interface PriceListJson {
  readonly id: string
  readonly prices: ReadonlyArray<{ readonly product_id: string; readonly price: number }>
  readonly code: string
  readonly message: string
}

const listOf = (customer: Trader, ...prices: ReadonlyArray<readonly [string, number]>) => ({
  customer_company_id: customer.companyId,
  name: "Wholesale",
  prices: prices.map(([product_id, price]) => ({ product_id, price }))
})

const fixture = Effect.gen(function* () {
  const market = yield* TheMarket
  const [seller, customer, other] = [yield* market.trader(), yield* market.trader(), yield* market.trader()]
  const [bolt, nut] = [yield* market.offer(seller, 10, 100), yield* market.offer(seller, 20, 100)]
  const add = (list: unknown, as = seller) => market.server.post<PriceListJson>(PATH, list, { as: as.id })
  const priceOf = (buyer: Trader, id: string) =>
    Effect.map(market.order(buyer, [[id, 1]]), ({ json }) => json.items[0]?.unit_price)
  return { market, server: market.server, seller, customer, other, bolt, nut, add, priceOf }
})

describe("PriceLists", () => {
  it("are what their customer is charged, from their answer on to the answer that ends them", () =>
    Effect.gen(function* () {
      const { add, bolt, customer, nut, other, priceOf, seller, server } = yield* fixture
      expect(yield* priceOf(customer, bolt.id)).toBe(10)
      const { json, status } = yield* add(listOf(customer, [nut.id, 15], [bolt.id, 7.25]))
      expect([status, json as unknown]).toEqual([
        200,
        {
          ...listOf(customer, [nut.id, 15], [bolt.id, 7.25]),
          id: expect.stringMatching(/^plt_/),
          company_id: seller.companyId,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        }
      ])
      expect([yield* priceOf(customer, bolt.id), yield* priceOf(other, bolt.id)]).toEqual([7.25, 10])
      const changed = yield* server.request<PriceListJson>(
        "PUT",
        `${PATH}/${json.id}`,
        { prices: listOf(customer, [bolt.id, 6]).prices },
        { as: seller.id }
      )
      expect(changed.json.prices).toEqual([{ product_id: bolt.id, price: 6 }])
      expect([yield* priceOf(customer, bolt.id), yield* priceOf(customer, nut.id)]).toEqual([6, 20])
      const renamed = yield* server.request("PUT", `${PATH}/${json.id}`, { name: "Retail" }, { as: seller.id })
      expect(renamed.json as unknown).toMatchObject({ name: "Retail", prices: changed.json.prices })
      expect((yield* server.get(`${PATH}/${json.id}`, seller.id)).json).toEqual(renamed.json)
      yield* server.request("DELETE", `${PATH}/${json.id}`, undefined, { as: seller.id })
      expect(yield* priceOf(customer, bolt.id)).toBe(10)
      expect((yield* server.request("DELETE", `${PATH}/${json.id}`, undefined, { as: seller.id })).status).toBe(404)
    }))

  it("are seen by their seller and administrators alone", () =>
    Effect.gen(function* () {
      const { add, bolt, customer, other, seller, server } = yield* fixture
      const { json } = yield* add(listOf(customer, [bolt.id, 9]))
      const admin = yield* server.admin
      for (const who of [customer, other]) {
        expect((yield* server.get(`${PATH}/${json.id}`, who.id)).status).toBe(404)
        expect((yield* server.request("PUT", `${PATH}/${json.id}`, { name: "X" }, { as: who.id })).status).toBe(404)
        expect((yield* server.get(PATH, who.id)).json).toEqual([])
      }
      expect((yield* server.get(`${PATH}/${json.id}`, admin)).json as unknown).toEqual(json)
      const listed = yield* server.get(`${PATH}?customer_company_id=${customer.companyId}`, seller.id)
      expect([listed.headers.get("x-total-count"), listed.json]).toEqual(["1", [json]])
    }))

  it("give a customer one price for a product, of the seller's own products", () =>
    Effect.gen(function* () {
      const { add, bolt, customer, market, nut, other, seller } = yield* fixture
      yield* add(listOf(customer, [bolt.id, 9]))
      const foreign = yield* market.offer(other, 1, 1)
      const answers = [
        yield* add(listOf(customer, [nut.id, 19], [bolt.id, 8])),
        yield* add(listOf(customer, [nut.id, 19], [foreign.id, 1])),
        yield* add(listOf(customer, ["prd_nothing", 1])),
        yield* add(listOf({ id: "", companyId: "cmp_nobody" }, [nut.id, 1])),
        yield* add(listOf(seller, [nut.id, 1])),
        yield* add(listOf(customer, [nut.id, 1], [nut.id, 2])),
        yield* add(listOf(customer, [nut.id, 0])),
        yield* add({
          ...listOf(customer),
          prices: Array.from({ length: 1_001 }, () => ({ product_id: "x", price: 1 }))
        })
      ]
      expect(answers.map(({ json, status }) => [status, json.code])).toEqual([
        [409, "conflict"],
        [404, "not_found"],
        [404, "not_found"],
        [422, "unprocessable"],
        [422, "unprocessable"],
        [400, "invalid_request"],
        [400, "invalid_request"],
        [400, "invalid_request"]
      ])
      expect(answers[0]?.json.message).toContain(bolt.id)
      expect((yield* add(listOf(customer, [nut.id, 18]))).status).toBe(200)
    }))

  it("tell a seller nothing of whether there is the company that it names", () =>
    Effect.gen(function* () {
      const { add, bolt, customer, seller, server } = yield* fixture
      const nobody = { id: "", companyId: `cmp_${"0".repeat(24)}` }
      const lists = [yield* add(listOf(customer, [bolt.id, 9])), yield* add(listOf(nobody, [bolt.id, 9]))]
      const shown = lists.map(({ json, status }) => [status, Object.keys(json), json.prices])
      expect(shown[1]).toEqual(shown[0])
      expect(shown[0]?.[0]).toBe(200)
      for (const { json } of lists) {
        expect((yield* server.get(`${PATH}/${json.id}`, seller.id)).json as unknown).toEqual(json)
      }
      const again = [yield* add(listOf(customer, [bolt.id, 8])), yield* add(listOf(nobody, [bolt.id, 8]))]
      const message = expect.stringContaining(bolt.id)
      expect(again.map(({ json, status }) => [status, json.message as unknown])).toEqual([
        [409, message],
        [409, message]
      ])
    }))
})
