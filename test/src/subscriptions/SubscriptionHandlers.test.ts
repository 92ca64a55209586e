import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { Renewals } from "../../../src/subscriptions/Renewals.ts"
import { withLayer } from "../../lib/Effects.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"
import { DAY } from "../../lib/SubscriptionScenario.ts"
import { type Subscribed, SubscriptionMarket } from "../../lib/SubscriptionMarket.ts"
import { offerGoods } from "../../lib/TestGoods.ts"
import { accountOf } from "../../lib/TestFunds.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const market = (dollars?: number, pieces?: number) =>
  Effect.flatMap(Server, (server) => SubscriptionMarket.make(server, dollars, pieces))

const subscribe = (as: string, body: object, key?: string) =>
  Effect.flatMap(Server, (server) => server.post<Subscribed>("/v1/subscriptions", body, { as, key }))

const read = (as: string, id: string) =>
  Effect.flatMap(Server, (server) => server.get<Subscribed>(`/v1/subscriptions/${id}`, as))

const act = (as: string, id: string, name: "renew" | "cancel", body: object | undefined, key?: string) =>
  Effect.flatMap(Server, (server) => server.post<Subscribed>(`/v1/subscriptions/${id}/${name}`, body, { as, key }))

/** Lets so many days pass, with the worker looking once after them. */
const pass = (days: number) =>
  Effect.gen(function* () {
    const server = yield* Server
    server.world.pass(days * DAY)
    yield* server.run(server.service(Renewals).round)
  })

const dollarsOf = (userId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const { balance } = yield* server.run(accountOf(`${userId}/USD/wallet`))
    return Number(balance) / 1_000_000
  })

const piecesOf = (companyId: string, productId: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    const { balance } = yield* server.run(accountOf(`${companyId}/PRODUCT:${productId}/stock`))
    return Number(balance) / 1_000_000
  })

describe("POST /v1/subscriptions", () => {
  it("charges the first period and answers the whole subscription", () =>
    Effect.gen(function* () {
      const { buyer, productId, seller, server, wanted } = yield* market()
      const { json, status } = yield* subscribe(buyer.id, wanted)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        company_id: buyer.companyId,
        user_id: buyer.id,
        seller_company_id: seller.companyId,
        product_id: productId,
        quantity: 10,
        unit_price: 2.5,
        price: 25,
        currency: "USD",
        interval: "week",
        periods: null,
        status: "active",
        paid_periods: 1,
        next_at: isoUtc(server.world.now + 7 * DAY)
      })
      expect(json.id).toStartWith("sub_")
      expect([yield* dollarsOf(buyer.id), yield* dollarsOf(seller.id)]).toEqual([975, 25])
      expect(yield* piecesOf(seller.companyId, productId)).toBe(990)
      expect((yield* read(buyer.id, json.id)).json).toEqual(json)
    }))

  it("keeps metadata, by which a list is filtered", () =>
    Effect.gen(function* () {
      const { buyer, server, wanted } = yield* market()
      const { json } = yield* subscribe(buyer.id, { ...wanted, metadata: { cost_centre: "7", none: "" } })
      expect(json).toMatchObject({ metadata: { cost_centre: "7" } })
      yield* subscribe(buyer.id, wanted)
      expect((yield* read(buyer.id, json.id)).json).toMatchObject({ metadata: { cost_centre: "7" } })
      const listed = (pair: string) =>
        Effect.map(server.get<ReadonlyArray<Subscribed>>(`/v1/subscriptions?metadata=${pair}`, buyer.id), ({ json }) =>
          json.map(({ id }) => id)
        )
      expect([yield* listed("cost_centre:7"), yield* listed("cost_centre:8")]).toEqual([[json.id], []])
    }))

  it("keeps its price when the product's changes", () =>
    Effect.gen(function* () {
      const { buyer, productId, seller, server, wanted } = yield* market()
      const { json } = yield* subscribe(buyer.id, wanted)
      yield* server.request("PUT", `/v1/commerce/products/${productId}`, { price: 99 }, { as: seller.id })
      yield* pass(7)
      expect((yield* read(buyer.id, json.id)).json).toMatchObject({ price: 25, paid_periods: 2 })
      expect(yield* dollarsOf(buyer.id)).toBe(950)
    }))

  it("is made once under one Idempotency-Key", () =>
    Effect.gen(function* () {
      const { buyer, wanted } = yield* market()
      const first = yield* subscribe(buyer.id, wanted, "once")
      const again = yield* subscribe(buyer.id, wanted, "once")
      expect(again.text).toBe(first.text)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(yield* dollarsOf(buyer.id)).toBe(975)
    }))

  it("waits for its start", () =>
    Effect.gen(function* () {
      const { buyer, server, wanted } = yield* market()
      const start = isoUtc(server.world.now + 3 * DAY)
      const { json } = yield* subscribe(buyer.id, { ...wanted, start, periods: 1 })
      expect(json).toMatchObject({ paid_periods: 0, next_at: start })
      expect((yield* act(buyer.id, json.id, "renew", undefined)).status).toBe(409)
      yield* pass(3)
      expect((yield* read(buyer.id, json.id)).json).toMatchObject({
        status: "completed",
        paid_periods: 1,
        next_at: null
      })
    }))

  it("names the field and what was expected of it", () =>
    Effect.gen(function* () {
      const { buyer, seller, server, wanted } = yield* market()
      const own = yield* offerGoods(server, { userId: buyer.id, companyId: buyer.companyId })
      const past = isoUtc(server.world.now - 1)
      const late = isoUtc(server.world.now + 367 * DAY)
      const wrong: ReadonlyArray<readonly [string, unknown, number, string]> = [
        ["company_id", 1, 400, "string"],
        ["product_id", "", 400, "1 to 64 characters"],
        ["product_id", "prd_none", 422, "Expected a product"],
        ["product_id", own, 422, "a product of another company"],
        ["quantity", 0, 400, "a whole number from 1 to 1000000"],
        ["quantity", 1.5, 400, "integer"],
        ["quantity", 1_000_001, 400, "a whole number from 1 to 1000000"],
        ["interval", "day", 400, "week"],
        ["periods", 0, 400, "a whole number from 1 to 520"],
        ["periods", 521, 400, "a whole number from 1 to 520"],
        ["start", "tomorrow", 400, "an ISO 8601 time with Z"],
        ["start", past, 422, "a time from now on"],
        ["start", late, 422, "at most 366 days ahead"]
      ]
      for (const [field, value, expected, message] of wrong) {
        const { json, status } = yield* subscribe(buyer.id, { ...wanted, [field]: value })
        expect([field, value, status]).toEqual([field, value, expected])
        expect(json.message).toContain(`payload.${field}`)
        expect(json.message).toContain(message)
      }
      const years = { ...wanted, interval: "year", periods: 11 }
      expect((yield* subscribe(buyer.id, years)).json.message).toContain(
        "payload.periods: Expected a whole number from 1 to 10"
      )
      expect((yield* subscribe(seller.id, wanted)).status).toBe(403)
    }))

  it("needs the money, the pieces and a verified account", () =>
    Effect.gen(function* () {
      const poor = yield* market(24)
      const short = yield* subscribe(poor.buyer.id, poor.wanted)
      expect([short.status, short.json.message]).toEqual([
        422,
        "A period costs 25 USD and 24 are available: add funds first."
      ])
      const scarce = yield* market(1_000, 9)
      expect((yield* subscribe(scarce.buyer.id, scarce.wanted)).status).toBe(409)
      expect(yield* dollarsOf(scarce.buyer.id)).toBe(1_000)
      const { server, wanted } = yield* market()
      const email = "unverified@subscription.example"
      const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
        email,
        password: PASSWORD,
        company_name: email
      })
      const { json: me } = yield* server.get<{ readonly company_id: string }>("/api/v1/users/me", user.id)
      const refused = yield* subscribe(user.id, { ...wanted, company_id: me.company_id })
      expect(refused.status).toBe(403)
      expect(refused.json.message).toContain("verified account")
    }))
})

describe("A subscription", () => {
  it("records a failed payment, tries again after 1, 3 and 5 days, and is cancelled then", () =>
    Effect.gen(function* () {
      const { buyer, seller, server, wanted } = yield* market(25)
      const { json } = yield* subscribe(buyer.id, wanted)
      yield* pass(7)
      const failed = (yield* read(buyer.id, json.id)).json
      expect(failed).toMatchObject({ status: "past_due", failures: 1 })
      expect(failed.next_at).toBe(isoUtc(server.world.now + DAY))
      for (const days of [1, 2, 2]) yield* pass(days)
      yield* pass(0)
      expect((yield* read(buyer.id, json.id)).json).toMatchObject({
        status: "cancelled",
        end_reason: "payment_failed",
        next_at: null
      })
      const path = `/v1/subscriptions/${json.id}/history`
      const lines = yield* server.get<ReadonlyArray<{ event: string; reason: string | null; period: number | null }>>(
        path,
        seller.id
      )
      expect(lines.json.map(({ event, reason }) => [event, reason])).toEqual([
        ["created", null],
        ...Array.from({ length: 4 }, () => ["payment_failed", "insufficient_funds"]),
        ["cancelled", "payment_failed"]
      ])
      expect(lines.headers.get("x-total-count")).toBe("6")
      expect((yield* server.get<ReadonlyArray<unknown>>(`${path}?limit=2&offset=4`, buyer.id)).json).toHaveLength(2)
      expect(yield* dollarsOf(seller.id)).toBe(25)
    }))

  it("is charged again once the money, the pieces or the standing are there", () =>
    Effect.gen(function* () {
      const { buyer, productId, seller, server, wanted } = yield* market(1_000, 10)
      const { json } = yield* subscribe(buyer.id, wanted)
      yield* pass(7)
      const reasonOf = Effect.map(
        server.get<ReadonlyArray<{ reason: string }>>(`/v1/subscriptions/${json.id}/history`, buyer.id),
        (answer) => answer.json.at(-1)?.reason
      )
      expect(yield* reasonOf).toBe("out_of_stock")
      yield* server.request("PUT", `/v1/commerce/products/${productId}`, { quantity: "100" }, { as: seller.id })
      yield* server.request("PUT", `/v1/users/${buyer.id}/suspend`, undefined, { as: yield* server.admin })
      yield* pass(1)
      yield* server.request("PUT", `/v1/users/${buyer.id}/reactivate`, undefined, { as: yield* server.admin })
      expect(yield* reasonOf).toBe("account_not_active")
      yield* pass(2)
      expect((yield* read(buyer.id, json.id)).json).toMatchObject({ status: "active", paid_periods: 2, failures: 0 })
      expect(yield* dollarsOf(buyer.id)).toBe(950)
    }))

  it("is cancelled at once by either side, or with the period that was paid", () =>
    Effect.gen(function* () {
      const { buyer, seller, server, wanted } = yield* market()
      const first = (yield* subscribe(buyer.id, wanted)).json
      expect((yield* act(seller.id, first.id, "cancel", {}, "stop")).json).toMatchObject({
        status: "cancelled",
        end_reason: "requested"
      })
      const again = yield* act(seller.id, first.id, "cancel", {}, "stop")
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
      expect((yield* act(buyer.id, first.id, "cancel", {})).status).toBe(409)
      const second = (yield* subscribe(buyer.id, wanted)).json
      const ending = (yield* act(buyer.id, second.id, "cancel", { at_period_end: true })).json
      expect(ending).toMatchObject({ status: "active", cancel_at: isoUtc(server.world.now + 7 * DAY) })
      expect((yield* act(buyer.id, second.id, "renew", undefined)).status).toBe(409)
      yield* pass(7)
      expect((yield* read(buyer.id, second.id)).json).toMatchObject({ status: "cancelled", end_reason: "period_end" })
      expect(yield* dollarsOf(buyer.id)).toBe(950)
    }))

  it("is renewed ahead by the user whose wallet pays, one period at most", () =>
    Effect.gen(function* () {
      const { buyer, seller, server, wanted } = yield* market()
      const { json } = yield* subscribe(buyer.id, wanted)
      expect((yield* act(seller.id, json.id, "renew", undefined)).status).toBe(403)
      const ahead = yield* act(buyer.id, json.id, "renew", undefined, "ahead")
      expect(ahead.json).toMatchObject({
        paid_periods: 2,
        next_at: isoUtc(server.world.now + 14 * DAY)
      })
      expect((yield* act(buyer.id, json.id, "renew", undefined, "ahead")).text).toBe(ahead.text)
      expect((yield* act(buyer.id, json.id, "renew", undefined)).status).toBe(409)
      expect(yield* dollarsOf(buyer.id)).toBe(950)
    }))

  it("is seen by its buyer, its seller and administrators alone", () =>
    Effect.gen(function* () {
      const { buyer, seller, server, wanted } = yield* market()
      const other = yield* server.user()
      const { json } = yield* subscribe(buyer.id, wanted)
      for (const [as, status] of [
        [buyer.id, 200],
        [seller.id, 200],
        [yield* server.admin, 200],
        [other.id, 404]
      ] as const) {
        expect((yield* read(as, json.id)).status).toBe(status)
        expect((yield* server.get(`/v1/subscriptions/${json.id}/history`, as)).status).toBe(status)
      }
      for (const name of ["cancel", "renew"] as const) {
        expect((yield* act(other.id, json.id, name, name === "cancel" ? {} : undefined)).status).toBe(404)
      }
      const listOf = (as: string, query: string) =>
        Effect.map(server.get<ReadonlyArray<Subscribed>>(`/v1/subscriptions${query}`, as), (answer) =>
          answer.json.map(({ id }) => id)
        )
      expect(yield* listOf(buyer.id, "")).toEqual([json.id])
      expect(yield* listOf(buyer.id, "?role=seller")).toEqual([])
      expect(yield* listOf(seller.id, "?role=seller&status=active")).toEqual([json.id])
      expect(yield* listOf(seller.id, "?role=seller&status=cancelled")).toEqual([])
      expect(yield* listOf(seller.id, "")).toEqual([json.id])
      expect(yield* listOf(other.id, "")).toEqual([])
    }))
})
