import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { SCOPES } from "../../../src/api/Authorization.ts"
import { CommitTimes } from "../../../src/database/CommitTimes.ts"
import { phasesOf } from "../../../src/requests/NotedRequest.ts"
import { MAX_LOOKED_THROUGH, RequestLogRepository } from "../../../src/requests/RequestLogRepository.ts"
import { RequestRecorder } from "../../../src/requests/RequestRecorder.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { withLayer } from "../../lib/Effects.ts"
import { tokenOf } from "../../lib/OperationFixture.ts"
import { property } from "../../lib/Property.ts"
import type { Answer } from "../../lib/Requests.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Listed {
  readonly id: string
  readonly request_id: string
  readonly company_id: string | null
  readonly user_id: string | null
  readonly operation: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly duration_ms: number
  readonly request_bytes: number | null
  readonly response_bytes: number | null
  readonly trace_id: string | null
  readonly event_seqs: ReadonlyArray<number>
}

interface Detail extends Listed {
  readonly query: string | null
  readonly body: string | null
  readonly phases: Readonly<Record<string, number | null>> | null
}

/** Everything is in the log: a request may wait once for the tables to have what it wrote. */
const flushed = Effect.flatMap(Server, (server) => Effect.repeat(server.service(RequestRecorder).flush, { times: 1 }))

const list = (as: string, query = "") =>
  Effect.gen(function* () {
    const server = yield* Server
    yield* flushed
    return yield* server.get<ReadonlyArray<Listed>>(`/v1/requests${query}`, as)
  })

const detail = (as: string, id: string) =>
  Effect.gen(function* () {
    const server = yield* Server
    yield* flushed
    return yield* server.get<Detail>(`/v1/requests/${id}`, as)
  })

const named = (headers: Headers): string => headers.get("x-request-id") ?? ""

describe("The log of requests", () => {
  it("has what was changed and what was refused, found by the id that the answer told", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      const made = yield* server.mint(id, usd("10"))
      const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
      const refused = yield* server.post(
        "/v1/funds",
        { owner: id, type: "USD", symbol: "many", secret: "hunter2" },
        { as: id, headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } }
      )
      yield* server.get("/v1/funds", id)
      const { json } = yield* list(id)
      expect(json.map(({ operation, status }) => [operation, status])).toEqual([
        ["POST /v1/funds", 400],
        ["POST /v1/funds", 200]
      ])
      const first = yield* detail(id, named(made.headers))
      expect(first.json).toMatchObject({
        company_id: companyId,
        user_id: id,
        operation: "POST /v1/funds",
        path: "/v1/funds",
        status: 200,
        code: null,
        body: null,
        query: null
      })
      expect(first.json.response_bytes).toBe(Buffer.byteLength(made.text))
      const second = yield* detail(id, named(refused.headers))
      expect(second.json).toMatchObject({
        status: 400,
        code: "invalid_request",
        trace_id: trace,
        event_seqs: [],
        phases: null
      })
      expect(JSON.parse(second.json.body ?? "")).toEqual({
        owner: id,
        type: "USD",
        symbol: "many",
        secret: "[removed]"
      })
      expect(second.text).not.toContain("hunter2")
      const byId = yield* detail(id, second.json.id)
      expect(byId.json).toEqual(second.json)
    }))

  it("tells where the time of a commit went, to the microsecond, and leads from the event to its request", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const made = yield* server.mint(id, usd("10"))
      yield* flushed
      const { json } = yield* detail(id, named(made.headers))
      const { answer_ms, append_ms, checks_ms, decision_ms, projection_ms = null } = json.phases ?? expect.unreachable()
      const sum = [checks_ms, decision_ms, append_ms, answer_ms].reduce<number>((all, one) => all + (one ?? 0), 0)
      expect(Math.abs(sum - json.duration_ms)).toBeLessThanOrEqual(0.004)
      expect((append_ms ?? 0) > 0).toBe(true)
      expect(projection_ms === null || projection_ms > 0).toBe(true)
      expect(json.event_seqs.length).toBeGreaterThan(0)
      for (const seq of json.event_seqs) {
        const found = yield* list(id, `?event_seq=${seq}`)
        expect(found.json.map((one) => one.id)).toEqual([json.id])
      }
      expect((yield* list(id, `?event_seq=${(json.event_seqs.at(-1) ?? 0) + 1_000}`)).json).toEqual([])
    }))

  it("shows a company's requests to that company and to administrators alone, whoever asks what", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const users = yield* Effect.forEach([1, 2, 3], () => server.user())
      const admin = yield* server.admin
      const asked = fc.record({
        who: fc.nat(2),
        act: fc.constantFrom("mint", "unknown", "invalid", "nowhere"),
        sameId: fc.boolean()
      })
      const mine = new Map<string, number>()
      const [runs] = fc.sample(fc.array(asked, { minLength: 20, maxLength: 40 }), { numRuns: 1 })
      for (const { act, sameId, who } of runs ?? []) {
        const { id } = users[who] ?? expect.unreachable()
        const options = { as: id, ...(sameId ? { headers: { "x-request-id": "the-same" } } : {}) }
        mine.set(id, (mine.get(id) ?? 0) + 1)
        if (act === "mint") yield* server.post("/v1/funds", { owner: id, type: "USD", symbol: "1" }, options)
        if (act === "unknown") yield* server.request("GET", "/v1/funds/fnd_unknown", undefined, options)
        if (act === "invalid") yield* server.post("/v1/funds", { owner: 7 }, options)
        if (act === "nowhere") yield* server.request("GET", "/v1/nowhere", undefined, options)
      }
      for (const { companyId, id } of users) {
        const own = yield* list(id)
        expect(own.json.length).toBe(mine.get(id) ?? 0)
        for (const query of ["", "?status=refused", `?company_id=${companyId}`]) {
          const { json } = yield* list(id, query)
          expect(json.every(({ company_id, user_id }) => company_id === companyId && user_id === id)).toBe(true)
        }
        for (const other of users.filter((one) => one.id !== id)) {
          expect((yield* list(id, `?company_id=${other.companyId}`)).json).toEqual([])
          expect((yield* list(id, `?user_id=${other.id}`)).json).toEqual([])
          const [theirs] = (yield* list(other.id)).json
          if (theirs === undefined) continue
          for (const name of [theirs.id, ...(theirs.request_id === "the-same" ? [] : [theirs.request_id])]) {
            const answer = yield* detail(id, name)
            expect([answer.status, answer.json]).toMatchObject([404, { code: "not_found" }])
          }
        }
        const same = yield* detail(id, "the-same")
        expect(same.status === 404 || same.json.user_id === id).toBe(true)
        const seen = yield* list(admin, `?company_id=${companyId}`)
        expect(seen.json.length).toBeGreaterThanOrEqual(own.json.length)
        expect(seen.json.every(({ company_id }) => company_id === companyId)).toBe(true)
      }
    }))

  it("is looked through some at a time where no index has what is wanted", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { companyId, id } = yield* server.user()
      yield* server.post("/v1/funds", { one: 1 }, { as: id })
      const newest = BigInt((yield* list(id)).json[0]?.id ?? 0)
      const old = newest - 30_000n
      const add = (from: bigint, count: number, path: string, status: number) =>
        server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql`
              INSERT INTO request_log (id, request_id, at, company_id, address, operation, path, status, duration_us)
              SELECT ${from} + more, 'many', 1, ${companyId}, '127.0.0.1', 'POST /v1/many', ${path}, ${status}::integer, 1
              FROM generate_series(0, ${BigInt(count - 1)}) AS more`
          )
        )
      yield* add(old, 1, "/v1/old", 400)
      yield* add(old + 1n, MAX_LOOKED_THROUGH + 5, "/v1/many", 200)
      const page = yield* list(id, "?path=/v1/old")
      expect(page.json).toEqual([])
      // Who counts looks through no more than that either.
      expect([page, yield* list(id)].map(({ headers }) => headers.get("x-total-count"))).toEqual([null, null])
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
      const older = yield* server.get<ReadonlyArray<Listed>>(next ?? "", id)
      expect(older.json.map((one) => one.id)).toEqual([String(old)])
      expect(older.headers.get("link")).toBeNull()
      const refused = yield* list(id, "?status=refused")
      expect(refused.json.map((one) => one.id)).toEqual([String(newest), String(old)])
      expect(refused.headers.get("x-total-count")).toBe("2")
    }))

  it("is listed by pages, and by what is asked for", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      for (let one = 0; one < 5; one++) yield* server.post("/v1/funds", { one }, { as: id })
      yield* server.request("GET", "/v1/funds/fnd_100%25", undefined, { as: id })
      yield* server.mint(id, usd("1"))
      const all = (yield* list(id)).json
      expect(all.length).toBe(7)
      const paged: Array<Listed> = []
      let path: string | undefined = "/v1/requests?limit=3"
      while (path !== undefined) {
        const page: Answer<ReadonlyArray<Listed>> = yield* server.get<ReadonlyArray<Listed>>(path, id)
        paged.push(...page.json)
        path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
      }
      expect(paged.filter(({ code }) => code !== "not_found").length).toBeGreaterThanOrEqual(6)
      expect(paged.map((one) => one.id).slice(0, 7)).toEqual(all.map((one) => one.id))
      for (const [query, count] of [
        ["?status=refused", 6],
        ["?status=4xx", 6],
        ["?status=2xx", 1],
        ["?status=5xx", 0],
        ["?code=invalid_request", 5],
        ["?code=conflict", 0],
        ["?operation=POST%20%2Fv1%2Ffunds", 6],
        ["?operation=POST%20%2Fv1", 0],
        ["?path=fnd_", 1],
        ["?path=%25", 1],
        ["?path=_%25", 0],
        ["?until=1970-01-02T00:00:00.000Z", 0],
        ["?since=1970-01-02T00:00:00.000Z", 7]
      ] as const) {
        const found = yield* list(id, query)
        expect([query, found.json.length]).toEqual([query, count])
        const one = yield* list(id, `${query}&limit=1`)
        expect([query, one.headers.get("x-total-count")]).toEqual([query, String(count)])
      }
    }))

  it("needs the scope of users, and names a field that is wrong", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const others = SCOPES.filter((scope) => scope !== "users:read")
      const headers = { authorization: `Bearer ${yield* tokenOf({ server }, id, others)}` }
      const answer = yield* server.request("GET", "/v1/requests", undefined, { headers })
      expect(answer.json).toMatchObject({ code: "insufficient_scope" })
      for (const query of ["status=1xx", "after=abc", "event_seq=0", "limit=0", "since=now", "offset=1"]) {
        expect([query, (yield* list(id, `?${query}`)).status]).toEqual([query, 400])
      }
    }))

  it("forgets what is older than it is to be kept, a batch at a time", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      for (let one = 0; one < 5; one++) yield* server.post("/v1/funds", { one }, { as: id })
      yield* flushed
      const { prune } = server.service(RequestLogRepository)
      server.world.pass(1_000)
      const before = server.world.now
      server.world.pass(1_000)
      yield* server.post("/v1/funds", { last: true }, { as: id })
      yield* flushed
      expect(yield* prune(before, 2)).toBe(2)
      while ((yield* prune(before, 1_000)) > 0);
      expect((yield* list(id)).json.length).toBe(1)
      expect(yield* prune(before, 2)).toBe(0)
    }))

  it("survives the server, with what was answered last", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const { id } = yield* server.user()
      const refused = yield* server.post("/v1/funds", {}, { as: id })
      yield* server.restart()
      expect((yield* detail(id, named(refused.headers))).json.status).toBe(400)
    }))
})

describe("A request in the log", () => {
  it("counts time once in which several commits are on their way", () =>
    Effect.sync(() => {
      const phases = (all: ReadonlyArray<ReadonlyArray<number>>, answeredAt: number) => {
        const times = new CommitTimes()
        const own = all.map(([askedAt = 0, sentAt = 0, knownAt = 0], index) => {
          times.sent(index + 1, index + 1, BigInt(sentAt))
          return { seq: index + 1, askedAt: BigInt(askedAt), knownAt: BigInt(knownAt) }
        })
        const commits = own.toSorted((one, other) => Number(one.knownAt - other.knownAt))
        return phasesOf({ startedAt: 0n, answeredAt: BigInt(answeredAt), commits }, times) ?? expect.unreachable()
      }
      const two = [
        [1_000, 2_000, 5_000],
        [3_000, 7_000, 9_000]
      ]
      expect(phases(two, 10_000)).toMatchObject({ checks: 1, decision: 3, append: 5, answer: 1 })
      fc.assert(
        fc.property(overlapping, nanos, (all, rest) => {
          const known = Math.max(...all.map((one) => one[2] ?? 0))
          const { answer, append, checks, decision } = phases(all, known + rest)
          expect(Math.abs(checks + decision + append + answer - (known + rest) / 1_000)).toBeLessThanOrEqual(2)
        }),
        property()
      )
    }))

  it("has phases of any number of commits that add up, or none", () =>
    Effect.sync(() => {
      fc.assert(
        fc.property(commits, ({ groups, parts, rest }) => {
          const times = new CommitTimes()
          let at = 1_000n
          const own = parts.map(([checks, decision, append], index) => {
            const askedAt = at + BigInt(checks)
            const sentAt = askedAt + BigInt(decision)
            const knownAt = sentAt + BigInt(append)
            const seq = (index + 1) * groups
            times.sent(seq - groups + 1, seq, sentAt)
            at = knownAt
            return { seq, askedAt, knownAt }
          })
          const answeredAt = at + BigInt(rest)
          const phases = phasesOf({ startedAt: 1_000n, answeredAt, commits: own }, times)
          if (own.length === 0) return expect(phases).toBeUndefined()
          const { answer, append, checks, decision } = phases ?? expect.unreachable()
          const sum = checks + decision + append + answer
          expect(Math.abs(sum - Number(answeredAt - 1_000n) / 1_000)).toBeLessThanOrEqual(2)
          expect(phasesOf({ startedAt: 1_000n, answeredAt, commits: own }, new CommitTimes())).toBeUndefined()
        }),
        property()
      )
    }))
})

const nanos = fc.integer({ min: 0, max: 5_000_000 })

/** Commits of which several may be on their way at once: when each was asked for, sent and known, from the start on. */
const overlapping = fc
  .array(fc.tuple(nanos, nanos, nanos), { minLength: 1, maxLength: 5 })
  .map((all) => all.map(([askedAt, decision, append]) => [askedAt, askedAt + decision, askedAt + decision + append]))

const commits = fc.record({
  groups: fc.integer({ min: 1, max: 4 }),
  parts: fc.array(fc.tuple(nanos, nanos, nanos), { maxLength: 5 }),
  rest: nanos
})
