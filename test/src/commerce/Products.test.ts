import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { withLayer } from "../../lib/Effects.ts"
import { Market, type ProductJson } from "../../lib/Market.ts"

class TheMarket extends Context.Service<TheMarket, Market>()("test/Products/Market") {}

const it = withLayer(Layer.effect(TheMarket, Market.make()))

const GOOD = { name: "Anvil", price: 12.5, description: "Actors steel", quantity: "4" }
const all = { concurrency: "unbounded" } as const

interface Priced extends ProductJson {
  readonly list_price: number
  readonly price_list_id: string | null
}

describe("Products", () => {
  it("are answered whole, with what the specification leaves to its defaults", () =>
    Effect.gen(function* () {
      const { server, ...market } = yield* TheMarket
      expect(market).toBeDefined()
      const seller = yield* server.user()
      const made = yield* server.post<ProductJson>("/v1/commerce/products", { ...GOOD, extra: 1 }, { as: seller.id })
      const at = expect.stringMatching(/Z$/)
      expect([made.status, made.json as unknown]).toEqual([
        200,
        {
          ...GOOD,
          id: expect.stringMatching(/^prd_[0-9a-z]{24}$/),
          company_id: seller.companyId,
          available: true,
          reserved: "0",
          insurable: false,
          bidable: false,
          iscontract: false,
          type: "Consumer Product",
          metadata: {},
          created_at: at,
          updated_at: at
        }
      ])
      const read = yield* server.get(`/v1/commerce/products/${made.json.id}`, seller.id)
      expect(read.json).toEqual(made.json)
    }))

  it("keep metadata, which a change merges and a list is filtered by", () =>
    Effect.gen(function* () {
      const { server } = yield* TheMarket
      const seller = yield* server.user()
      const as = { as: seller.id }
      const send = (metadata: unknown) => server.post<ProductJson>("/v1/commerce/products", { ...GOOD, metadata }, as)
      const metadataOf = ({ json }: { readonly json: unknown }) => (json as { readonly metadata: unknown }).metadata
      const made = yield* send({ shelf: "7", campaign: "spring:early", empty: "" })
      expect(metadataOf(made)).toEqual({ campaign: "spring:early", shelf: "7" })
      const path = `/v1/commerce/products/${made.json.id}`
      const put = (metadata: unknown) => server.request("PUT", path, { metadata }, as)
      expect(metadataOf(yield* put({ shelf: "8", campaign: null }))).toEqual({ shelf: "8" })
      expect(metadataOf(yield* server.request("PUT", path, { name: "Anvil" }, as))).toEqual({ shelf: "8" })
      expect(metadataOf(yield* server.get(path, seller.id))).toEqual({ shelf: "8" })
      const listed = (pair: string) =>
        Effect.map(
          server.get<ReadonlyArray<ProductJson>>(
            `/v1/commerce/products?company_id=${seller.companyId}&metadata=${encodeURIComponent(pair)}`,
            seller.id
          ),
          ({ json, status }) => [status, ...(status === 200 ? json.map(({ id }) => id) : [])]
        )
      yield* send({ shelf: "9" })
      expect(yield* listed("shelf:8")).toEqual([200, made.json.id])
      expect(yield* listed("shelf:7")).toEqual([200])
      expect(yield* listed("shelf")).toEqual([400])
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "v"]))
      const refused = yield* put(many)
      expect([refused.status, refused.text]).toEqual([
        422,
        expect.stringContaining("payload.metadata: Expected at most 20")
      ])
      for (const wrong of [
        { ["k".repeat(41)]: "v" },
        { k: "v".repeat(501) },
        { "a:b": "v" },
        { k: 1 },
        [],
        { ...many, k: "v" }
      ]) {
        expect([(yield* send(wrong)).status, wrong]).toEqual([400, wrong])
      }
      expect(metadataOf(yield* put(""))).toEqual({})
    }))

  it("are offered once under a key", () =>
    Effect.gen(function* () {
      const { server } = yield* TheMarket
      const seller = yield* server.user()
      const send = (body: unknown) => server.post("/v1/commerce/products", body, { as: seller.id, key: "anvil" })
      const [first, again, other] = [yield* send(GOOD), yield* send(GOOD), yield* send({ ...GOOD, price: 1 })]
      expect([again.text, again.headers.get("idempotency-replayed"), other.status]).toEqual([first.text, "true", 422])
      const listed = yield* server.get(`/v1/commerce/products?company_id=${seller.companyId}`, seller.id)
      expect(listed.json).toEqual([first.json])
    }))

  it("refuse what they cannot be, with the field and what was expected", () =>
    Effect.gen(function* () {
      const { server } = yield* TheMarket
      const seller = yield* server.user()
      const bad: ReadonlyArray<readonly [string, unknown]> = [
        ...["", " ".repeat(0), "x".repeat(201), 7, null].map((value) => ["name", value] as const),
        ...[0, -1, 0.0000001, 8_000_000_001, "5", null].map((value) => ["price", value] as const),
        ...["", "x".repeat(4_001), 7].map((value) => ["description", value] as const),
        ...["", "-1", "1.5", "01", "1e3", "1000000001", 5, null].map((value) => ["quantity", value] as const),
        ...["commodity", 7].map((value) => ["type", value] as const),
        ...(["insurable", "bidable", "iscontract"] as const).map((field) => [field, "true"] as const)
      ]
      for (const [field, value] of bad) {
        const answer = yield* server.post<{ code: string; message: string }>(
          "/v1/commerce/products",
          { ...GOOD, [field]: value },
          { as: seller.id }
        )
        expect([field, value, answer.status, answer.json.code]).toEqual([field, value, 400, "invalid_request"])
        expect(answer.json.message).toStartWith(`payload.${field}: Expected`)
      }
      for (const field of Object.keys(GOOD)) {
        const { [field as keyof typeof GOOD]: _, ...rest } = GOOD
        const answer = yield* server.post<{ message: string }>("/v1/commerce/products", rest, { as: seller.id })
        expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(`payload.${field}`)])
      }
    }))

  it("change by their seller alone, in any of their fields", () =>
    Effect.gen(function* () {
      const { server } = yield* TheMarket
      const [seller, stranger] = [yield* server.user(), yield* server.user()]
      const made = yield* server.post<ProductJson>("/v1/commerce/products", GOOD, { as: seller.id })
      const path = `/v1/commerce/products/${made.json.id}`
      server.world.pass(1_000)
      const change = { name: "Hammer", price: 3, bidable: true, iscontract: true, type: "Commodity" }
      const changed = yield* server.request<{ updated_at: string }>("PUT", path, change, { as: seller.id })
      expect(changed.json as unknown).toEqual({ ...made.json, ...change, updated_at: changed.json.updated_at })
      expect(changed.json.updated_at > (made.json as unknown as { created_at: string }).created_at).toBe(true)
      expect((yield* server.get(path, stranger.id)).json).toEqual(changed.json)
      const nothing = yield* server.request("PUT", path, { name: "Hammer", quantity: "4" }, { as: seller.id })
      expect(nothing.json).toEqual(changed.json)
      const foreign = yield* server.request<{ code: string }>("PUT", path, change, { as: stranger.id })
      expect([foreign.status, foreign.json.code]).toEqual([403, "access_denied"])
      const missing = yield* server.request("PUT", `${path}x`, change, { as: seller.id })
      expect(missing.status).toBe(404)
    }))

  it("have as many pieces for sale as their seller says, whatever orders take meanwhile", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const [seller, buyer] = [yield* market.trader(), yield* market.trader()]
      const product = yield* market.offer(seller, 1, 20)
      yield* market.order(buyer, [[product.id, 5]])
      const set = (quantity: string) =>
        market.server.request<ProductJson>(
          "PUT",
          `/v1/commerce/products/${product.id}`,
          { quantity },
          { as: seller.id }
        )
      expect((yield* set("7")).json).toMatchObject({ quantity: "7", reserved: "5" })
      expect((yield* set("0")).json).toMatchObject({ quantity: "0", available: false })
      yield* set("40")
      const orders = Effect.forEach(
        Array.from({ length: 30 }),
        () => Effect.map(market.order(buyer, [[product.id, 1]]), ({ status }) => status),
        all
      )
      const sets = Effect.forEach(["3", "50", "1", "2"], (quantity) =>
        Effect.map(set(quantity), ({ status }) => status)
      )
      const [ordered, changed] = yield* Effect.all([orders, sets], all)
      expect(changed).toEqual([200, 200, 200, 200])
      const after = yield* market.product(product.id, buyer)
      expect(Number(after.reserved)).toBe(5 + ordered.filter((status) => status === 200).length)
      expect(Number(after.quantity)).toBeGreaterThanOrEqual(0)
      expect(Number(after.quantity)).toBeLessThanOrEqual(2)
      expect(yield* market.faults).toEqual([])
    }))

  it("are listed oldest first, by what is asked for", () =>
    Effect.gen(function* () {
      const { server } = yield* TheMarket
      const seller = yield* server.user()
      const offers = [
        { ...GOOD, name: "Blue Whistle", bidable: true },
        { ...GOOD, name: "Red whistle", iscontract: true, type: "Commodity" },
        { ...GOOD, name: "Drum", description: "100% WHISTLE free_" }
      ]
      const ids: Array<string> = []
      for (const offer of offers) {
        server.world.pass(10)
        const { json } = yield* server.post<ProductJson>("/v1/commerce/products", offer, { as: seller.id })
        ids.push(json.id)
      }
      const found = (query: string) =>
        Effect.map(
          server.get<ReadonlyArray<ProductJson>>(
            `/v1/commerce/products?company_id=${seller.companyId}&${query}`,
            seller.id
          ),
          ({ headers, json }) => [headers.get("x-total-count"), ...json.map(({ id }) => ids.indexOf(id))]
        )
      expect(yield* found("")).toEqual(["3", 0, 1, 2])
      expect(yield* found("limit=1&offset=1")).toEqual(["3", 1])
      expect(yield* found("q=wHiStle")).toEqual(["3", 0, 1, 2])
      expect(yield* found("q=red%20w")).toEqual(["1", 1])
      expect(yield* found("q=%25")).toEqual(["1", 2])
      expect(yield* found("bidable=true")).toEqual(["1", 0])
      expect(yield* found("iscontract=false")).toEqual(["2", 0, 2])
      expect(yield* found("type=Commodity")).toEqual(["1", 1])
      expect((yield* server.get("/v1/commerce/products?bidable=1", seller.id)).status).toBe(400)
    }))

  it("are in the catalog of every other company, at its own price where it has one", () =>
    Effect.gen(function* () {
      const market = yield* TheMarket
      const { server } = market
      const [seller, customer, other] = yield* Effect.replicateEffect(market.trader(), 3)
      const product = yield* market.offer(seller!, 10, 5)
      const list = {
        customer_company_id: customer!.companyId,
        name: "A",
        prices: [{ product_id: product.id, price: 8 }]
      }
      yield* server.post("/v1/commerce/price-lists", list, { as: seller!.id })
      const seen = (who: string) =>
        Effect.map(
          server.get<ReadonlyArray<Priced>>(`/v1/commerce/catalog?company_id=${seller!.companyId}`, who),
          ({ json }) => json.map(({ list_price, price, price_list_id }) => [price, list_price, price_list_id !== null])
        )
      expect(yield* seen(customer!.id)).toEqual([[8, 10, true]])
      expect(yield* seen(other!.id)).toEqual([[10, 10, false]])
      expect(yield* seen(seller!.id)).toEqual([])
      const branch = yield* server.post<{ readonly id: string }>("/v1/companies", { name: "B" }, { as: other!.id })
      const forBranch = { ...list, customer_company_id: branch.json.id, prices: [{ product_id: product.id, price: 7 }] }
      yield* server.post("/v1/commerce/price-lists", forBranch, { as: seller!.id })
      const asBranch = `/v1/commerce/catalog?company_id=${seller!.companyId}&customer_company_id=${branch.json.id}`
      expect((yield* server.get<ReadonlyArray<Priced>>(asBranch, other!.id)).json.map(({ price }) => price)).toEqual([
        7
      ])
      expect((yield* server.get(asBranch, customer!.id)).status).toBe(404)
    }))
})
