import { describe, expect } from "bun:test"
import { Effect, Fiber, Latch, Layer, Metric } from "effect"
import { ApiError } from "../../../src/api/ApiError.ts"
import { authenticated, type Principal, scopes } from "../../../src/api/Authorization.ts"
import { FastPath, layer } from "../../../src/http/FastPath.ts"
import { type FastRoute, FastRoutes } from "../../../src/http/FastRoutes.ts"
import { Idempotency } from "../../../src/http/Idempotency.ts"
import { RateLimiter } from "../../../src/http/RateLimiter.ts"
import { CachedResponses } from "../../../src/http/CachedResponses.ts"
import { TokenVerifier } from "../../../src/http/TokenVerifier.ts"
import { itLive } from "../../lib/Effects.ts"
import * as MemoryIdempotency from "../../lib/MemoryIdempotency.ts"
import { openedArena, refusal } from "../../lib/OpenedArena.ts"
import { settings } from "../../lib/ProbeServer.ts"

/** What differs from one answer to the next, whichever way it took. */
const OWN = new Set(["x-request-id", "x-ratelimit-remaining", "date"])

const headersOf = (headers: Headers) => [...headers].filter(([name]) => !OWN.has(name)).toSorted()

describe("FastPath", () => {
  itLive("answers what is ready as the router does, and counts it", () =>
    Effect.gen(function* () {
      const { commit, order, server, trader } = yield* openedArena({ RATE_LIMITS: "on" })
      yield* commit({ quantity: 1 })
      const path = `/api/arena/orders/${order.order_id}`
      const look = server.get(path, trader.id)
      const [routed, direct, again] = [yield* look, yield* look, yield* server.get(`${path}?`, trader.id)]
      expect(direct.json).toEqual(routed.json)
      expect([direct.status, again.status]).toEqual([200, 200])
      expect(headersOf(direct.headers)).toEqual(headersOf(routed.headers))
      expect(headersOf(again.headers)).toEqual(headersOf(routed.headers))
      const left = [routed, direct, again].map(({ headers }) => Number(headers.get("x-ratelimit-remaining")))
      expect(left).toEqual([left[0]!, left[0]! - 1, left[0]! - 2])
      expect(direct.headers.get("x-request-id")).not.toBe(routed.headers.get("x-request-id"))
    })
  )

  itLive("leaves refusals to the router", () =>
    Effect.gen(function* () {
      const { order, server, trader } = yield* openedArena()
      const path = `/api/arena/orders/${order.order_id}`
      for (let read = 0; read < 2; read++) yield* server.get(path, trader.id)
      expect(refusal(yield* server.get(path, undefined))).toEqual([401, "unauthorized", "at once"])
      expect(refusal(yield* server.get(`${path}x`, trader.id))).toEqual([404, "ARENA_001", "at once"])
    })
  )

  itLive("refuses one request more than the limit, from either side", () =>
    Effect.gen(function* () {
      const { order, server, trader } = yield* openedArena({ RATE_LIMITS: "on" })
      const path = `/api/arena/orders/${order.order_id}`
      const first = yield* server.get(path, trader.id)
      const left = Number(first.headers.get("x-ratelimit-remaining"))
      for (let read = 0; read < left; read++) expect((yield* server.get(path, trader.id)).status).toBe(200)
      expect(refusal(yield* server.get(path, trader.id))).toEqual([429, "rate_limited", "later"])
      expect(refusal(yield* server.get("/api/arena/orders", trader.id))).toEqual([429, "rate_limited", "later"])
    })
  )
})

const PATH = "/v1/things"

const principal: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "com_1",
  role: "buyer",
  scopes: ["orders:read"],
  kind: "user",
  status: "active"
}

/** One answer that is ready. */
const READY: typeof CachedResponses.Service = {
  find: (target) =>
    target === "/v1/ready"
      ? { access: authenticated, route: "/v1/ready", answer: { body: new TextEncoder().encode("{}"), headers: {} } }
      : undefined
}

/** A fast path with one route and one cached response, and what came of the requests that were sent to it. */
const served = (variables: Readonly<Record<string, string>> = {}, access: FastRoute["access"] = authenticated) =>
  Effect.gen(function* () {
    const ran: Array<unknown> = []
    const gate = yield* Latch.make()
    const route: FastRoute = {
      path: PATH,
      access,
      prepare: (body, { userId }) => {
        if (typeof body !== "object") return undefined
        return () =>
          Effect.suspend(() => {
            ran.push(body)
            if (body !== null && "wait" in body) return Effect.as(gate.await, "{}")
            if (body !== null && "fail" in body) return Effect.fail(new ApiError("conflict", "Not twice.", 7))
            return body !== null && "die" in body ? Effect.die("a fault") : Effect.succeed(JSON.stringify({ userId }))
          })
      }
    }
    const verifier = TokenVerifier.of({
      isSigned: () => false,
      known: (token) => (token === "known" ? principal : undefined),
      verify: () => Effect.succeed(principal)
    })
    const parts = Layer.mergeAll(settings(variables), Layer.succeed(TokenVerifier, verifier))
    const built = layer.pipe(
      Layer.provide(Layer.succeed(FastRoutes, [route])),
      Layer.provide(Layer.succeed(CachedResponses, READY)),
      Layer.provide(Layer.mergeAll(RateLimiter.layer, Layer.provide(Idempotency.layer, MemoryIdempotency.layer))),
      Layer.provide(parts)
    )
    const fastPath = yield* Effect.provide(Effect.service(FastPath), built)
    const routed: Array<string> = []
    const router = (request: Request) =>
      request.text().then(
        (text) => {
          routed.push(text)
          return new Response("routed")
        },
        () => new Response("unreadable", { status: 400 })
      )
    const send = (body: string, headers: Readonly<Record<string, string>> = {}, method = "POST", path = PATH) => {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: "Bearer known",
          "content-type": "application/json",
          "content-length": String(body.length),
          ...headers
        },
        ...(method === "GET" ? {} : { body })
      })
      return Effect.promise(() => Promise.resolve(fastPath.serve(request, "127.0.0.1", router)))
    }
    const textOf = (response: Response) => Effect.promise(() => response.text())
    const serve = (request: Request) =>
      Effect.promise(() => Promise.resolve(fastPath.serve(request, "127.0.0.1", router)))
    return { gate, ran, routed, send, serve, textOf }
  })

/** What passed a phase of a commit so far. */
const passed = (phase: string) =>
  Effect.map(Metric.snapshot, (snapshots) =>
    snapshots
      .filter(({ attributes, id }) => id === "emporion_commit_phase_commits" && attributes?.["phase"] === phase)
      .reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)
  )

describe("A direct route", () => {
  itLive("adds each request that it answers to its phase, and a commitment to the order's", () =>
    Effect.gen(function* () {
      const { commit } = yield* openedArena()
      yield* commit({ quantity: 1 })
      const [http, decision] = [yield* passed("http"), yield* passed("decision")]
      yield* commit({ quantity: 1 })
      expect([(yield* passed("http")) - http, (yield* passed("decision")) - decision]).toEqual([1, 1])
      yield* commit({ quantity: 0 })
      expect([(yield* passed("http")) - http, (yield* passed("decision")) - decision]).toEqual([2, 1])
    })
  )

  itLive("runs what is plain, once, and asks the router nothing", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* served()
      const answer = yield* send('{"a":1}', { "x-request-id": "mine" })
      expect([answer.status, yield* textOf(answer)]).toEqual([200, '{"userId":"usr_1"}'])
      expect(answer.headers.get("x-request-id")).toBe("mine")
      expect([ran, routed]).toEqual([[{ a: 1 }], []])
    })
  )

  itLive("answers a failure, and a fault without its cause", () =>
    Effect.gen(function* () {
      const { routed, send, textOf } = yield* served()
      const refused = yield* send('{"fail":1}')
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([409, "7"])
      expect(JSON.parse(yield* textOf(refused))).toEqual({ message: "Not twice.", code: "conflict" })
      const died = yield* send('{"die":1}')
      expect([died.status, JSON.parse(yield* textOf(died)).code]).toEqual([500, "internal"])
      expect(routed).toEqual([])
    })
  )

  itLive("gives everything unusual to the router with its body, before it ran", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* served()
      const unusual = [
        send("{}", { "idempotency-key": "k".repeat(256) }),
        send("{}", { "content-type": "application/json; charset=utf-8" }),
        send("{}", { "content-type": "application/x-www-form-urlencoded" }),
        send("{}", { "content-length": "1048577" }),
        send("{}", { "content-length": "many" }),
        send("{}", { authorization: "Bearer unknown" }),
        send("{}", { authorization: "Basic known" }),
        send("{}", {}, "PUT"),
        send("{}", {}, "POST", `${PATH}?a=1`),
        send("{}", {}, "POST", `${PATH}/more`),
        send("{"),
        send("12"),
        send("")
      ]
      for (const sending of unusual) expect(yield* textOf(yield* sending)).toBe("routed")
      expect(ran).toEqual([])
      expect(routed).toEqual([...Array.from({ length: 10 }, () => "{}"), "{", "12", ""])
      expect(yield* textOf(yield* send("", {}, "GET"))).toBe("routed")
    })
  )

  itLive("leaves who lacks a scope, and everybody where requests are traced, to the router", () =>
    Effect.gen(function* () {
      const strict = yield* served({}, scopes("orders:write"))
      expect(yield* strict.textOf(yield* strict.send("{}"))).toBe("routed")
      const traced = yield* served({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })
      expect(yield* traced.textOf(yield* traced.send("{}"))).toBe("routed")
      expect(yield* traced.textOf(yield* traced.send("", {}, "GET", "/v1/ready"))).toBe("routed")
      expect(yield* strict.textOf(yield* strict.send("", {}, "GET", "/v1/ready"))).toBe("{}")
      expect([strict.ran, traced.ran]).toEqual([[], []])
    })
  )

  itLive("runs once under a key, and answers its retries the same", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* served()
      const key = { "idempotency-key": "mine" }
      const told = (answer: Response) =>
        Effect.map(textOf(answer), (text) => [answer.status, answer.headers.get("idempotency-replayed"), text])
      const first = yield* told(yield* send('{"a":1}', key))
      expect(first).toEqual([200, null, '{"userId":"usr_1"}'])
      expect(yield* told(yield* send('{"a":1}', key))).toEqual([200, "true", '{"userId":"usr_1"}'])
      const other = yield* send('{"a":2}', key)
      expect([other.status, JSON.parse(yield* textOf(other)).code]).toEqual([422, "unprocessable"])
      const refused = { "idempotency-key": "refused" }
      expect((yield* told(yield* send('{"fail":1}', refused))).slice(0, 2)).toEqual([409, null])
      expect((yield* told(yield* send('{"fail":1}', refused))).slice(0, 2)).toEqual([409, "true"])
      const fault = { "idempotency-key": "fault" }
      for (let time = 0; time < 2; time++) {
        expect((yield* told(yield* send('{"die":1}', fault))).slice(0, 2)).toEqual([500, null])
      }
      expect([ran, routed]).toEqual([[{ a: 1 }, { fail: 1 }, { die: 1 }, { die: 1 }], []])
    })
  )

  itLive("tells a retry of what runs to wait, and executes one of many copies", () =>
    Effect.gen(function* () {
      const { gate, ran, send, textOf } = yield* served()
      const copy = Effect.suspend(() => send('{"wait":1}', { "idempotency-key": "many" }))
      const first = yield* Effect.forkChild(copy)
      while (ran.length === 0) yield* Effect.yieldNow
      const during = yield* Effect.all(Array.from({ length: 5 }, () => copy))
      for (const answer of during) {
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([409, "1"])
        expect(JSON.parse(yield* textOf(answer)).code).toBe("conflict")
      }
      yield* gate.open
      expect((yield* Fiber.join(first)).status).toBe(200)
      expect((yield* copy).headers.get("idempotency-replayed")).toBe("true")
      expect(ran).toHaveLength(1)
    })
  )

  itLive("leaves a body that cannot be read to its end to the router", () =>
    Effect.gen(function* () {
      const { ran, serve, textOf } = yield* served()
      const body = new ReadableStream({ start: (controller) => controller.error(new Error("broken off")) })
      const headers = { authorization: "Bearer known", "content-type": "application/json", "content-length": "2" }
      const sent = serve(new Request(`http://localhost${PATH}`, { method: "POST", headers, body }))
      const answer = yield* sent
      expect([ran, answer.status, yield* textOf(answer)]).toEqual([[], 400, "unreadable"])
    })
  )

  itLive("counts what it runs, and leaves the request beyond the limit to the router", () =>
    Effect.gen(function* () {
      const { ran, routed, send } = yield* served({ RATE_LIMITS: "on" })
      const left = (answer: Response) => Number(answer.headers.get("x-ratelimit-remaining"))
      const first = yield* send("{}")
      yield* send("{")
      expect(left(yield* send("{}"))).toBe(left(first) - 1)
      for (let more = left(first) - 1; more > 0; more--) yield* send("{}")
      const before = ran.length
      yield* send("{}")
      expect([ran.length, routed]).toEqual([before, ["{", "{}"]])
    })
  )
})
