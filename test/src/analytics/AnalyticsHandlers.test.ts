import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { UsageRecorder } from "../../../src/analytics/UsageRecorder.ts"
import { SCOPES } from "../../../src/api/Authorization.ts"
import { isoDay } from "../../../src/api/UtcDay.ts"
import { withLayer } from "../../lib/Effects.ts"
import { tokenOf } from "../../lib/OperationFixture.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

const DAY = 86_400_000

interface Figures {
  readonly requests: number
  readonly client_errors: number
  readonly server_errors: number
  readonly latency_ms: { readonly p50: number; readonly p95: number; readonly p99: number } | null
}

interface Part extends Figures {
  readonly endpoints: ReadonlyArray<Figures & { readonly endpoint: string }>
}

interface Usage {
  readonly company_id: string | null
  readonly from: string
  readonly to: string
  readonly totals: Part
  readonly days: ReadonlyArray<Part & { readonly date: string }>
}

const flushed = (server: TestServer) => server.service(UsageRecorder).flush

const usage = (as: string, query = "") =>
  Effect.gen(function* () {
    const server = yield* Server
    yield* flushed(server)
    return yield* server.get<Usage>(`/v1/analytics/usage${query}`, as)
  })

const countsOf = ({ endpoints }: Part) =>
  endpoints.map(({ client_errors, endpoint, requests, server_errors }) => [
    endpoint,
    requests,
    client_errors,
    server_errors
  ])

describe("GET /v1/analytics/usage", () => {
  it("counts the caller's requests by day and endpoint, however they were answered", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      const first = Math.floor(server.world.now / DAY)
      yield* server.get("/v1/funds", id)
      yield* server.get("/v1/funds/unknown", id)
      yield* server.get("/v1/funds/unknown-too", id)
      yield* server.get("/nowhere", id)
      yield* server.post("/v1/funds", {}, { as: id })
      yield* server.get("/api/arena/yield/total", id)
      server.world.pass(DAY)
      yield* server.get("/v1/funds", id)
      const { json } = yield* usage(id, `?from=${isoDay(first)}&interval=day`)
      expect([json.company_id, json.from, json.to]).toEqual([companyId, isoDay(first), isoDay(first + 1)])
      expect(json.days.map(countsOf)).toEqual([
        [
          ["GET /api/arena/yield/total", 1, 0, 0],
          ["GET /v1/funds", 1, 0, 0],
          ["GET /v1/funds/{id}", 2, 2, 0],
          ["POST /v1/funds", 1, 1, 0],
          ["unmatched", 1, 1, 0]
        ],
        [["GET /v1/funds", 1, 0, 0]]
      ])
      expect([json.totals.requests, json.totals.client_errors]).toEqual([7, 4])
      const { p50, p95, p99 } = json.totals.latency_ms ?? expect.unreachable()
      expect(p50 > 0 && p50 <= p95 && p95 <= p99).toBe(true)
      const one = yield* usage(id, `?from=${isoDay(first)}&endpoint=${encodeURIComponent("GET /v1/funds")}`)
      expect(countsOf(one.json.totals)).toEqual([["GET /v1/funds", 2, 0, 0]])
      const before = yield* usage(id, `?from=${isoDay(first - 2)}&to=${isoDay(first - 1)}`)
      expect(before.json.totals).toMatchObject({ requests: 0, latency_ms: null, endpoints: [] })
      expect(before.json.days.map(({ date }) => date)).toEqual([isoDay(first - 2), isoDay(first - 1)])
    }))

  it("tells another company nothing, and administrators everything, requests without a caller too", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const [mine, theirs] = [yield* server.user(), yield* server.user()]
      const admin = yield* server.admin
      for (let times = 0; times < 3; times++) yield* server.get("/v1/funds", mine.id)
      yield* server.get("/v1/info")
      expect((yield* usage(theirs.id)).json.totals.requests).toBe(0)
      const refused = yield* usage(theirs.id, `?company_id=${mine.companyId}`)
      expect([refused.status, refused.json]).toMatchObject([404, { code: "not_found" }])
      const own = yield* usage(mine.id, `?company_id=${mine.companyId}`)
      expect(countsOf(own.json.totals)).toEqual([["GET /v1/funds", 3, 0, 0]])
      const seen = yield* usage(admin, `?company_id=${mine.companyId}`)
      expect(countsOf(seen.json.totals)[1]).toEqual(["GET /v1/funds", 3, 0, 0])
      const all = yield* usage(admin)
      expect(all.json.company_id).toBeNull()
      expect(all.json.totals.endpoints.some(({ endpoint }) => endpoint === "GET /v1/info")).toBe(true)
    }))

  it("needs the scope of orders", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const others = SCOPES.filter((scope) => scope !== "orders:read")
      const headers = { authorization: `Bearer ${yield* tokenOf({ server }, id, others)}` }
      const answer = yield* server.request("GET", "/v1/analytics/usage", undefined, { headers })
      expect(answer.json).toMatchObject({ code: "insufficient_scope" })
    }))

  it("names the field that is wrong and what it expects", () =>
    Effect.gen(function* () {
      const { id } = yield* Effect.flatMap(Server, (server) => server.user())
      const wrong: ReadonlyArray<readonly [string, string]> = [
        ["from=yesterday", "query.from: Expected a day such as 2026-01-31"],
        ["to=2026-02-30", "query.to: Expected a day such as 2026-01-31"],
        ["from=2026-01-02&to=2026-01-01", "query.to: Expected a day from the first one on"],
        ["from=2026-01-01&to=2026-12-31", "query.from: Expected at most 92 days to the last one"],
        ["interval=hour", "query.interval: Expected"],
        [`endpoint=${"x".repeat(301)}`, "query.endpoint: Expected 1 to 300 characters"]
      ]
      for (const [query, message] of wrong) {
        const answer = yield* usage(id, `?${query}`)
        expect([query, answer.status, answer.json]).toMatchObject([
          query,
          400,
          { code: "invalid_request", message: expect.stringContaining(message) }
        ])
      }
    }))

  it("has what was counted after a restart", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      yield* server.get("/v1/funds", id)
      yield* server.restart()
      expect(countsOf((yield* usage(id)).json.totals)).toEqual([["GET /v1/funds", 1, 0, 0]])
    }))
})
