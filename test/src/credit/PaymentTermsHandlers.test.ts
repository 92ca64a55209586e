import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import type { PaymentTermsAnswer } from "../../../src/api/PaymentTerms.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { PASSWORD } from "../../lib/OperationFixture.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const terms = (userId: string, body: object) =>
  Effect.flatMap(Server, (server) =>
    server.post<typeof PaymentTermsAnswer.Encoded & { readonly message: string }>("/v1/payments/terms", body, {
      as: userId
    })
  )

describe("POST /v1/payments/terms", () => {
  it("offers terms from the score card, with schedules that sum", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      const wanted = { company_id: companyId, amount: 1_000.01, currency: "USD" }
      const before = yield* terms(id, wanted)
      expect(before.json).toMatchObject({ score: null, band: null, apr: null, free_limit: 0 })
      expect(before.json.terms.map(({ available }) => available).filter(Boolean)).toHaveLength(1)
      expect(before.json.terms[1]?.reasons).toMatchObject([{ code: "not_assessed" }])
      yield* server.post("/v1/credit/request", REQUEST, { as: id })
      const { json, status } = yield* terms(id, wanted)
      expect(status).toBe(200)
      expect(json).toMatchObject({ company_id: companyId, amount: 1_000.01, band: "A", free_limit: 9_000 })
      expect(json.terms).toHaveLength(14)
      expect(json.terms.every(({ available, apr }) => available && apr === 0)).toBe(true)
      for (const { schedule, total } of json.terms) {
        expect(Math.round(schedule.reduce((sum, { amount }) => sum + amount * 100, 0))).toBe(100_001)
        expect(total).toBe(1_000.01)
      }
      expect((yield* terms(id, { ...wanted, amount: 9_000.01 })).json.terms[1]?.reasons).toMatchObject([
        { code: "limit_too_small" }
      ])
    }))

  it("asks for a verified KYC record of a person", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
        email: "terms@example.com",
        password: PASSWORD,
        company_name: "Terms"
      })
      const { json: me } = yield* server.get<{ readonly company_id: string }>("/api/v1/users/me", user.id)
      yield* server.post("/v1/credit/request", REQUEST, { as: user.id })
      const { json } = yield* terms(user.id, { company_id: me.company_id, amount: 1, currency: "USD" })
      expect(json.terms[0]?.available).toBe(true)
      expect(json.terms[1]).toMatchObject({ available: false, reasons: [{ code: "kyc_required" }] })
    }))

  it("is for a company that one manages, too", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
        email: "manager@example.com",
        password: PASSWORD,
        company_name: "Manager"
      })
      const { json: managed } = yield* server.post<{ readonly id: string }>(
        "/v1/companies",
        { name: "Managed" },
        { as: user.id }
      )
      const { json, status } = yield* terms(user.id, { company_id: managed.id, amount: 1, currency: "USD" })
      expect([status, json.company_id]).toEqual([200, managed.id])
    }))

  it("is for one's own company, in USD, for more than nothing", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const [mine, theirs] = [yield* server.user(), yield* server.user()]
      const wanted = { company_id: mine.companyId, amount: 1, currency: "USD" }
      expect((yield* terms(theirs.id, wanted)).status).toBe(403)
      for (const [field, value] of [
        ["amount", 0],
        ["amount", -1],
        ["amount", "1"],
        ["currency", "EUR"],
        ["company_id", ""]
      ] as const) {
        const { json, status } = yield* terms(mine.id, { ...wanted, [field]: value })
        expect([field, value, status]).toEqual([field, value, 400])
        expect(json.message).toContain(`payload.${field}`)
      }
    }))
})
