import { describe, expect } from "bun:test"
import { Context, DateTime, Effect, Layer } from "effect"
import { SCOPES } from "../../../../src/api/Authorization.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { tokenOf } from "../../../lib/OperationFixture.ts"
import { TestServer } from "../../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make({ RATE_LIMITS: "on" })))

interface Made {
  readonly id: string
}

const whole = {
  name: "Customer",
  tax_id: "BE0123456789",
  email: "buying@example.com",
  phone: "+32 1",
  country: "BE",
  address: { street: "1 High Street", city: "Ghent", country: "BE" }
}

describe("/v1/companies", () => {
  it("makes, reads, lists and changes a company that the caller's manages", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id: as } = yield* server.user()
      server.world.pass(1)
      const made = yield* server.post<Made>("/v1/companies", whole, { as })
      const time = DateTime.formatIso(DateTime.makeUnsafe(server.world.now))
      const company = {
        ...whole,
        id: expect.stringMatching(/^cmp_[0-9a-z]{24}$/),
        plan: "standard",
        status: "pending",
        managed_by: companyId,
        created_at: time,
        verified_at: null,
        machine_trader: true
      }
      expect([made.status, made.json]).toEqual([200, company])
      const path = `/v1/companies/${made.json.id}`
      expect((yield* server.get(path, as)).json).toEqual(made.json)
      const listed = yield* server.get<ReadonlyArray<Made>>("/v1/companies", as)
      expect(listed.json.map(({ id }) => id)).toEqual([companyId, made.json.id])
      expect(listed.headers.get("x-total-count")).toBe("2")
      const found = yield* server.get("/v1/companies?q=CUSTOM&limit=1", as)
      expect(found.json).toEqual([made.json])
      const body = { tax_id: null, address: { city: "Bruges" }, unknown: 1 }
      const changed = yield* server.request("PATCH", path, body, { as })
      expect([changed.status, changed.json]).toEqual([200, { ...company, ...body, unknown: undefined }] as never)
      const admin = yield* server.admin
      const verified = yield* server.request("PUT", `${path}/verify`, undefined, { as: admin })
      expect(verified.json).toMatchObject({ status: "verified", verified_at: time })
      expect((yield* server.get(`/v1/companies/${companyId}`, admin)).json).toMatchObject({ managed_by: null })
      const unmanaged = yield* server.post("/v1/companies", { name: "Nobody's" }, { as: admin })
      expect(unmanaged.json).toMatchObject({ managed_by: null, tax_id: null, address: null })
    }))

  it("tells another company nothing", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const [mine, theirs] = [yield* server.user(), yield* server.user()]
      const { json } = yield* server.post<Made>("/v1/companies", { name: "Mine" }, { as: mine.id })
      const nobody = yield* server.get("/v1/companies/cmp_nobody", theirs.id)
      for (const id of [json.id, mine.companyId]) {
        const read = yield* server.get(`/v1/companies/${id}`, theirs.id)
        expect([read.status, read.text]).toEqual([404, nobody.text.replace("cmp_nobody", id)])
        const changed = yield* server.request("PATCH", `/v1/companies/${id}`, { name: "Theirs" }, { as: theirs.id })
        expect(changed.status).toBe(404)
      }
      for (const [path, body] of [
        ["plan", { plan: "pro" }],
        ["verify", undefined]
      ] as const) {
        const answer = yield* server.request("PUT", `/v1/companies/${json.id}/${path}`, body, { as: mine.id })
        expect([answer.status, answer.json]).toMatchObject([403, { code: "access_denied" }])
      }
    }))

  it("needs the scope of orders", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const others = SCOPES.filter((scope) => !scope.startsWith("orders:"))
      const headers = { authorization: `Bearer ${yield* tokenOf({ server }, id, others)}` }
      const made = yield* server.post("/v1/companies", { name: "Customer" }, { headers })
      const listed = yield* server.request("GET", "/v1/companies", undefined, { headers })
      expect([made.status, listed.status]).toEqual([403, 403])
    }))

  it("makes one company of a request that is sent twice", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id: as } = yield* server.user()
      const send = (name: string) => server.post("/v1/companies", { ...whole, name }, { as, key: "once" })
      const first = yield* send("Once")
      const again = yield* send("Once")
      expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([200, first.text, "true"])
      expect((yield* send("Twice")).status).toBe(422)
      expect((yield* server.get("/v1/companies", as)).headers.get("x-total-count")).toBe("2")
    }))

  it("names the field that is wrong and what it expects", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id: as } = yield* server.user()
      const wrong: ReadonlyArray<readonly [string, unknown]> = [
        ["name", "n".repeat(201)],
        ["name", "a\u0000"],
        ["tax_id", "1".repeat(65)],
        ["email", "nobody"],
        ["phone", "1".repeat(33)],
        ["country", "Atlantis"],
        ["address", "Ghent"],
        ["address", { city: "c".repeat(101) }]
      ]
      for (const [field, value] of wrong) {
        const made = yield* server.post("/v1/companies", { ...whole, [field]: value }, { as })
        const changed = yield* server.request("PATCH", `/v1/companies/${companyId}`, { [field]: value }, { as })
        for (const { json, status } of [made, changed]) {
          expect([status, json]).toMatchObject([400, { message: expect.stringContaining(`payload.${field}`) }])
        }
      }
      expect((yield* server.post("/v1/companies", {}, { as })).status).toBe(400)
      const stays = yield* server.request("PATCH", `/v1/companies/${companyId}`, { name: null }, { as })
      expect([stays.status, stays.json]).toMatchObject([200, { name: expect.stringMatching(/^test-/) }])
    }))
})

describe("PUT /v1/companies/{id}/plan", () => {
  it("sets what the company may ask for, from the next request on", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const admin = yield* server.admin
      const { companyId, id } = yield* server.user()
      const limit = Effect.map(server.get("/api/v1/users/me", id), ({ headers }) => headers.get("x-ratelimit-limit"))
      expect(yield* limit).toBe("100")
      const set = (whom: string, plan: string) =>
        server.request("PUT", `/v1/companies/${whom}/plan`, { plan }, { as: admin })
      const answer = yield* set(companyId, "enterprise")
      expect([answer.status, answer.json]).toMatchObject([200, { id: companyId, plan: "enterprise" }])
      expect(yield* limit).toBe("2000")
      expect((yield* set("cmp_nobody", "pro")).json).toMatchObject({ code: "not_found" })
      expect((yield* set(companyId, "free")).json).toMatchObject({ code: "invalid_request" })
    }))
})
