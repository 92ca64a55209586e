import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Result } from "effect"
import * as WalletAddress from "../../../src/identity/users/WalletAddress.ts"
import { withLayer } from "../../lib/Effects.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"
import { operator } from "../../lib/TestBots.ts"

/**
 * The contract as whoever has read the specification alone meets it: the values of the specification as they stand
 * there, sent as a first program would send them.
 */

/** Orders of the demonstration's slots, 30 s. */
const fixture = openedArena({ ARENA_SLOT_SECONDS: "30" })

class Fixture extends Context.Service<Fixture, Effect.Success<typeof fixture>>()("test/Fixture") {}

const it = withLayer(Layer.effect(Fixture, fixture))

describe("A list", () => {
  it("answers its total and its page", () =>
    Effect.gen(function* () {
      const { commit } = yield* Fixture
      const { server, user } = yield* sender
      yield* commit({}, user.id)
      const mine = yield* server.get("/api/arena/commitments/my", user.id)
      expect(mine.json).toMatchObject({ commitments: [{ status: "active" }], total: 1, offset: 0, limit: 100 })
      const later = yield* server.get("/api/arena/commitments/my?offset=5&status=active", user.id)
      expect(later.json).toMatchObject({ commitments: [], total: 1, offset: 5 })
      const won = yield* server.get("/api/arena/commitments/my?status=won", user.id)
      expect(won.json).toMatchObject({ commitments: [], total: 0 })
    }))
})

describe("GET /api/arena/agent/status", () => {
  it("has a whole number of minutes, also with slots of 30 seconds (4.3)", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* Fixture
      const { json } = yield* server.get("/api/arena/agent/status", trader.id)
      expect(json).toMatchObject({ generation_interval_minutes: 1, generation_interval_seconds: 30 })
    }))
})

interface Sent {
  readonly message?: string
  readonly code?: string
  readonly [field: string]: unknown
}

const PRODUCT = { name: "Bolt", price: 12.5, description: "M8, zinc plated", quantity: "100" }

const KYC = {
  fullnames: "Ann Peeters",
  address: "Kerkstraat 1\n9000 Gent",
  phoneNumber: "+32 470 12 34 56",
  country: "Belgium",
  email: "ann@example.com",
  identityId: "BE-123456"
}

/** Who sends: a user of a company of its own, with 1,000 USD. */
const sender = Effect.gen(function* () {
  const { server } = yield* Fixture
  const user = yield* server.user()
  yield* server.mint(user.id, usd(1_000n))
  const send = (path: string, body: object) => server.post<Sent>(path, body, { as: user.id })
  return { server, user, send }
})

const transferOf = (from: string, to: string) => ({
  pair: "USD/EUR",
  quantity: "10",
  from,
  to,
  country: "BE",
  description: "Invoice 7",
  createdDate: 1_767_225_600
})

describe("A number with more than six decimals (2)", () => {
  it("is rounded half to even at the sixth, and answered as stored", () =>
    Effect.gen(function* () {
      const { send } = yield* sender
      const made = yield* send("/v1/commerce/products", { ...PRODUCT, price: 12.3456785 })
      expect([made.status, made.json["price"]]).toEqual([200, 12.345678])
      const { commit, order, server, trader } = yield* Fixture
      const price = order.entry_price * 1.0123
      expect((yield* commit({ proposed_entry_price: price })).status).toBe(200)
      const { json } = yield* server.get<{ readonly commitments: ReadonlyArray<Sent> }>(
        "/api/arena/commitments/my?limit=1",
        trader.id
      )
      expect(json.commitments[0]?.["proposed_entry_price"]).toBe(Math.round(price * 1e6) / 1e6)
      const estimate = yield* server.get(
        "/api/arena/yield/estimate?order_value=10000.0000004&duration_days=30",
        trader.id
      )
      expect(estimate.json).toMatchObject({ estimate: { order_value: 10_000, collateral: 381 } })
    }))

  it("is refused as a decimal text", () =>
    Effect.gen(function* () {
      const { send, user } = yield* sender
      const fund = { owner: user.id, type: "USD", symbol: "1.1234567" }
      const refused = yield* send("/v1/funds", fund)
      expect([refused.status, refused.json.code]).toEqual([400, "invalid_request"])
      for (const symbol of ["-1", "NaN", "Infinity", "1e3"]) {
        expect((yield* send("/v1/funds", { ...fund, symbol })).status).toBe(400)
      }
      for (const price of [-1, '"NaN"']) {
        expect((yield* send("/v1/commerce/products", { ...PRODUCT, price })).status).toBe(400)
      }
    }))
})

describe("An optional field", () => {
  const nothings = [null, ""]

  it("takes null and an empty text as absent", () =>
    Effect.gen(function* () {
      const { send, server, user } = yield* sender
      for (const nothing of nothings) {
        const product = yield* send("/v1/commerce/products", {
          ...PRODUCT,
          insurable: nothing,
          bidable: nothing,
          iscontract: nothing,
          type: nothing
        })
        expect(product.json).toMatchObject({ insurable: false, iscontract: false, type: "Consumer Product" })
        const transfer = {
          ...transferOf(user.id, (yield* server.user()).id),
          id: nothing,
          fxQuote: nothing,
          mode: nothing
        }
        expect((yield* send("/v1/transfers", transfer)).status).toBe(200)
        expect((yield* send("/v1/withdraw", { quantity: "1", id: nothing })).status).toBe(200)
        const beneficiary = {
          accountName: "Bo",
          accountNumber: "BE68 5390 0754 7034",
          country: nothing,
          bankId: nothing
        }
        expect((yield* send("/v1/transfers/to", beneficiary)).json).toMatchObject({ country: "BE" })
        const company = {
          name: "Acme",
          tax_id: nothing,
          email: nothing,
          phone: nothing,
          country: nothing,
          address: nothing
        }
        expect((yield* send("/v1/companies", company)).json).toMatchObject({ tax_id: null, address: null })
        const registered = yield* server.post("/api/v1/auth/register", {
          email: `new${nothings.indexOf(nothing)}@example.com`,
          password: "a long enough password",
          company_name: "Acme",
          contact_name: nothing,
          phone: nothing,
          tax_id: nothing,
          address: { street: "Main St 1", city: "Gent", state: nothing, postal_code: "9000", country: "Belgium" }
        })
        expect(registered.json).toMatchObject({ status: "pending_kyc", ecommerce_company_id: null })
      }
      expect((yield* server.get("/v1/transfers?direction=&owner=", user.id)).status).toBe(200)
      expect((yield* server.get("/v1/commerce/products?q=null", user.id)).json).toEqual([])
    }))

  it("says of a wrong value what was expected of it, and not that it could be nothing", () =>
    Effect.gen(function* () {
      const { send, user } = yield* sender
      const wrong = { ...PRODUCT, insurable: "no", type: "Car", price: "x" }
      expect((yield* send("/v1/commerce/products", wrong)).json.message).toStartWith("payload.price: Expected number")
      const flag = yield* send("/v1/commerce/products", { ...PRODUCT, insurable: "no" })
      expect(flag.json.message).toBe("payload.insurable: Expected boolean")
      const mode = yield* send("/v1/transfers", { ...transferOf(user.id, "x"), mode: "global" })
      expect(mode.json.message).toBe('payload.mode: Expected "local" or "international"')
    }))

  it("is emptied by null or an empty text where a change can empty it, and stays where it is left out", () =>
    Effect.gen(function* () {
      const { server, user } = yield* sender
      const patch = (body: object) =>
        server.request<Sent>("PATCH", `/v1/companies/${user.companyId}`, body, { as: user.id })
      expect((yield* patch({ tax_id: "BE0123", phone: "+32 9 1", country: "be" })).json).toMatchObject({
        country: "BE"
      })
      expect((yield* patch({ tax_id: "", phone: null })).json).toMatchObject({
        tax_id: null,
        phone: null,
        country: "BE"
      })
      expect((yield* patch({ name: null })).status).toBe(200)
    }))
})

describe("Free text", () => {
  it("takes line breaks and tabs, and no other control characters", () =>
    Effect.gen(function* () {
      const { send, server, user } = yield* sender
      const description = "M8\r\n\t- zinc plated\n\t- 100 pieces"
      expect((yield* send("/v1/commerce/products", { ...PRODUCT, description })).json["description"]).toBe(description)
      const transfer = { ...transferOf(user.id, (yield* server.user()).id), description }
      expect((yield* send("/v1/transfers", transfer)).status).toBe(200)
      expect((yield* send("/v1/kyc", KYC)).json["address"]).toBe(KYC.address)
      for (const bell of ["\u0007", "\u0000", "\u001b[31m"]) {
        expect((yield* send("/v1/commerce/products", { ...PRODUCT, description: bell })).status).toBe(400)
      }
    }))
})

describe("A country", () => {
  it("is a code in any case or an English name, everywhere, and stored as the code", () =>
    Effect.gen(function* () {
      const { send, server, user } = yield* sender
      for (const country of ["Belgium", "belgium", "be", "BE", "bel"]) {
        const { id } = yield* server.user()
        const kyc = yield* server.post<Sent>("/v1/kyc", { ...KYC, country }, { as: id })
        expect(kyc.json["country"]).toBe("BE")
        const account = { accountName: "Bo", accountNumber: "BE68539007547034", country }
        expect((yield* send("/v1/transfers/to", account)).json["country"]).toBe("BE")
        const id2 = `t-${country}`
        yield* send("/v1/transfers", { ...transferOf(user.id, id), country, id: id2 })
        expect((yield* server.get(`/v1/transfers/${id2}`, user.id)).json).toMatchObject({ country: "BE" })
        const company = yield* send("/v1/companies", { name: "Acme", country, address: { country } })
        expect(company.json).toMatchObject({ country: "BE", address: { country: "BE" } })
      }
      const refused = yield* send("/v1/companies", { name: "Acme", country: "Atlantis" })
      expect(refused.json.message).toBe(
        "payload.country: Expected a country by its code of ISO 3166-1 or its English name, such as BE, BEL or Belgium"
      )
    }))
})

describe("A currency and a pair", () => {
  it("are taken in any case, the pair with any separator or none", () =>
    Effect.gen(function* () {
      const { send, user } = yield* sender
      expect((yield* send("/v1/funds", { owner: user.id, type: "usd", symbol: "5" })).json).toMatchObject({
        type: "USD"
      })
      const terms = { company_id: user.companyId, amount: 100, currency: "usd" }
      expect((yield* send("/v1/payments/terms", terms)).json).toMatchObject({ currency: "USD" })
      for (const pair of ["USD/EUR", "usd-eur", "Usd_Eur", "USDEUR"]) {
        const quote = yield* send("/v1/fx/quotes", { pair, trade: "Sell", quantity: 10 })
        expect(quote.json).toMatchObject({ pair: "USD/EUR" })
      }
      expect((yield* send("/v1/fx/quotes", { pair: "USD EUR GBP", trade: "Sell", quantity: 10 })).status).toBe(400)
    }))
})

describe("POST /v1/credit/request", () => {
  it("takes empLength as people write it (2.8)", () =>
    Effect.gen(function* () {
      const { server } = yield* Fixture
      for (const empLength of ["10+ years", "< 1 year", "5 years", "9"]) {
        const { id } = yield* server.user()
        const body = {
          annualIncome: 52_000.5,
          homeOwnership: true,
          empLength,
          loanAmt: 5_000,
          purpose: "working capital",
          desc: "Two vans\nand a trailer"
        }
        const { json, status } = yield* server.post<Sent>("/v1/credit/request", body, { as: id })
        expect([status, json["profileId"]]).toEqual([200, id])
      }
    }))
})

describe("A transfer", () => {
  it("ignores fxQuote where the mode is local", () =>
    Effect.gen(function* () {
      const { send, server, user } = yield* sender
      const to = (yield* server.user()).id
      const { json, status } = yield* send("/v1/transfers", {
        ...transferOf(user.id, to),
        mode: "local",
        fxQuote: 1.0834,
        id: "local-1"
      })
      expect([status, json]).toEqual([200, { to, from: user.id, quantity: "10", id: "local-1" }])
    }))

  it("is listed to whoever sent it and whoever received it, who does not learn the sender's terms", () =>
    Effect.gen(function* () {
      const { send, server, user } = yield* sender
      const other = yield* server.user()
      const sent = { ...transferOf(user.id, other.id), mode: "international", fxQuote: 0.01, id: "inv-7" }
      expect((yield* send("/v1/transfers", sent)).status).toBe(200)
      yield* server.mint(other.id, usd(50n))
      yield* server.post("/v1/transfers", { ...transferOf(other.id, user.id), id: "back" }, { as: other.id })
      const mine = yield* server.get<ReadonlyArray<Sent>>("/v1/transfers", user.id)
      expect(mine.headers.get("x-total-count")).toBe("2")
      expect(mine.json).toMatchObject([
        { id: "back", direction: "received", from: other.id },
        { id: "inv-7", direction: "sent", fxQuote: 0.01, taken: "10", rate: expect.any(Number) }
      ])
      const theirs = yield* server.get<ReadonlyArray<Sent>>("/v1/transfers?direction=received", other.id)
      expect(theirs.json).toMatchObject([
        { id: "inv-7", received_type: "EUR", taken: null, taken_type: null, rate: null, quote_id: null }
      ])
      expect(theirs.json[0]).not.toHaveProperty("fxQuote")
    }))
})

describe("A bot", () => {
  const strategy = { riskPreset: "balanced", riskLevel: 0.5, maxLossPct: 8, minRoiPct: 5, maxCollateralPerTrade: 100 }

  it("takes the five fields of a strategy, and says which differ from the preset's (2.18)", () =>
    Effect.gen(function* () {
      const { server } = yield* Fixture
      const user = yield* operator(server)
      const { json, status } = yield* server.post<{ readonly bot: Sent }>(
        "/api/arena/machine-traders",
        { name: "Momentum", capabilities: ["fx", "gpu"], strategy, collateral_amount: 500, auto_topup_enabled: false },
        { as: user.id }
      )
      expect(status).toBe(200)
      expect(json.bot).toMatchObject({
        strategy: { riskPreset: "balanced", riskLevel: 0.5, maxLossPct: 8, minRoiPct: 5, overrides: ["maxLossPct"] },
        credit_budget: 50_000
      })
      const { json: balance } = yield* server.get("/api/arena/machine-traders/credits/balance", user.id)
      expect(balance).toMatchObject({ monthly_grant: 50_000, credit_unit_usd: 0.01, credits_per_dollar: 100 })
    }))
})

describe("An arena order", () => {
  it("names the market maker by a wallet address of its own, which stays (2.16)", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* Fixture
      const makers = Effect.map(
        server.get<{ readonly orders: ReadonlyArray<Sent> }>("/api/arena/orders", trader.id),
        ({ json }) => new Set(json.orders.map((order) => order["market_maker"]))
      )
      const [maker, ...others] = yield* makers
      expect(others).toEqual([])
      expect(maker).toMatch(/^0x[0-9a-fA-F]{40}$/)
      expect(Result.getOrThrow(WalletAddress.parse(String(maker)))).toBe(String(maker))
      expect(String(maker)).not.toBe(String(maker).toLowerCase())
    }))
})

describe("PUT /api/v1/users/me", () => {
  it("merges parts of an address, and removes one that is emptied (4.1)", () =>
    Effect.gen(function* () {
      const { server, user } = yield* sender
      const put = (address: object) =>
        Effect.map(
          server.request<Sent>("PUT", "/api/v1/users/me", { address }, { as: user.id }),
          ({ json }) => json["address"]
        )
      const whole = { street: "Main St 1", city: "Gent", state: "OV", postal_code: "9000", country: "BE" }
      expect(yield* put(whole)).toEqual(whole)
      expect(yield* put({ city: "Brugge", postal_code: "8000" })).toEqual({
        ...whole,
        city: "Brugge",
        postal_code: "8000"
      })
      expect(yield* put({ state: "", country: "France" })).toEqual({
        street: "Main St 1",
        city: "Brugge",
        postal_code: "8000",
        country: "FR"
      })
    }))
})

describe("A webhook", () => {
  it("that could never be delivered is refused, and so is its test", () =>
    Effect.gen(function* () {
      const { send } = yield* sender
      for (const url of ["http://example.com/hook", "http://8.8.8.8/hook", "http://localhost:4000/hook"]) {
        expect((yield* send("/v1/webhooks", { url, events: ["order.paid"] })).status).toBe(400)
        expect((yield* send("/v1/webhooks/test", { endpoint: url, event: "order.paid" })).status).toBe(400)
      }
      expect((yield* send("/v1/webhooks", { url: "https://example.com/hook", events: ["order.paid"] })).status).toBe(
        200
      )
    }))
})
