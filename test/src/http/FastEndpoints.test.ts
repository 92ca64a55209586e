import { describe, expect } from "bun:test"
import { Context, Effect, Fiber, Metric } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../src/api/Api.ts"
import { authenticated, scopes } from "../../../src/api/Authorization.ts"
import { Fast } from "../../../src/api/Conventions.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"

import { faced, PATH, type Way, WAYS } from "../../lib/FastFixture.ts"

/** What it does, however its handler is asked. */
const endpoint = (way: Way) => {
  itLive("runs its own handler, once, and asks the router nothing", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* faced({}, authenticated, way)
      const made = yield* send('{"a":1}', { "x-request-id": "mine" })
      expect([made.status, yield* textOf(made)]).toEqual([200, '{"userId":"usr_1"}'])
      expect([made.headers.get("x-request-id"), made.headers.get("content-type")]).toEqual(["mine", "application/json"])
      const found = yield* send("", {}, "GET", `${PATH}/a%20b?limit=5`)
      expect([found.status, yield* textOf(found)]).toEqual([200, '{"id":"a b","limit":5}'])
      const none = yield* send("", {}, "GET", `${PATH}/no`)
      expect([none.status, JSON.parse(yield* textOf(none))]).toEqual([
        404,
        { message: "There is none.", code: "not_found" }
      ])
      expect([ran, routed]).toEqual([[{ a: 1 }, { id: "a b", limit: 5 }, { id: "no" }], []])
    })
  )

  itLive("serves whom a token stands for that was not known before", () =>
    Effect.gen(function* () {
      const { ran, routed, send } = yield* faced({}, authenticated, way)
      expect((yield* send('{"a":1}', { authorization: "Bearer new" })).status).toBe(200)
      expect((yield* send("", { authorization: "Bearer new" }, "GET", `${PATH}/one`)).status).toBe(200)
      expect([ran, routed]).toEqual([[{ a: 1 }, { id: "one" }], []])
    })
  )

  itLive("answers a failure, and a fault without its cause", () =>
    Effect.gen(function* () {
      const { routed, send, textOf } = yield* faced({}, authenticated, way)
      const refused = yield* send('{"fail":1}')
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([409, "7"])
      expect(JSON.parse(yield* textOf(refused))).toEqual({ message: "Not twice.", code: "conflict" })
      const died = yield* send('{"die":1}')
      expect([died.status, JSON.parse(yield* textOf(died)).code]).toEqual([500, "internal"])
      expect(routed).toEqual([])
    })
  )

  itLive("does not run for a body that is no UTF-8, and has the router refuse it", () =>
    Effect.gen(function* () {
      const { ran, routed, serve, textOf } = yield* faced()
      const body = Buffer.concat([Buffer.from('{"a":1,"b":"'), Buffer.from([0xf0, 0x9f, 0x99]), Buffer.from('"}')])
      for (const authorization of ["Bearer known", "Bearer new"]) {
        const headers = { authorization, "content-type": "application/json", "content-length": String(body.length) }
        const refused = yield* serve(new Request(`http://localhost${PATH}`, { method: "POST", headers, body }))
        expect([refused.status, JSON.parse(yield* textOf(refused)).message]).toEqual([
          400,
          "payload: Expected a body that is valid UTF-8"
        ])
      }
      expect([ran, routed]).toEqual([[], []])
    })
  )

  itLive("leaves everything unusual to the router with its body, before it ran", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* faced({}, authenticated, way)
      const unusual = [
        send("{}", { "content-type": "application/json; charset=utf-8" }),
        send("{}", { "content-type": "application/x-www-form-urlencoded" }),
        send("{}", { authorization: "Basic known" }),
        send("{}", {}, "POST", `${PATH}?a=1`),
        send("{"),
        send("12"),
        send('{"a":"1"}'),
        send("[".repeat(100_000)),
        send(""),
        send("", {}, "GET", `${PATH}/long`),
        send("", {}, "GET", `${PATH}/one?limit=many`),
        send("", {}, "GET", `${PATH}/one?other=1`)
      ]
      for (const sending of unusual) expect(yield* textOf(yield* sending)).toBe("routed")
      expect(ran).toEqual([])
      const bodies = [...Array.from({ length: 4 }, () => "{}"), "{", "12", '{"a":"1"}', "[", "", "", "", ""]
      expect(routed).toEqual(bodies)
    })
  )

  itLive("leaves who lacks a scope to the router, and comes after what is kept", () =>
    Effect.gen(function* () {
      const strict = yield* faced({}, scopes("orders:write"), way)
      expect(yield* strict.textOf(yield* strict.send("{}"))).toBe("routed")
      expect(strict.ran).toEqual([])
      const { ran, send, textOf } = yield* faced({}, authenticated, way)
      const kept = yield* send("", {}, "GET", `${PATH}/kept`)
      expect([kept.status, yield* textOf(kept)]).toEqual([200, '{"kept":true}'])
      expect(yield* textOf(yield* send("", { authorization: "" }, "GET", `${PATH}/kept`))).toBe("routed")
      expect(ran).toEqual([])
    })
  )

  itLive("runs once under a key, and answers its retries the same", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* faced({}, authenticated, way)
      const key = { "idempotency-key": "mine" }
      const told = (answer: Response) =>
        Effect.map(textOf(answer), (text) => [answer.status, answer.headers.get("idempotency-replayed"), text])
      expect(yield* told(yield* send('{"a":1}', key))).toEqual([200, null, '{"userId":"usr_1"}'])
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
      expect((yield* send("{}", { "idempotency-key": "k".repeat(256) })).status).toBe(400)
      expect([ran, routed]).toEqual([[{ a: 1 }, { fail: 1 }, { die: 1 }, { die: 1 }], []])
    })
  )

  itLive("tells a retry of what runs to wait, and executes one of many copies", () =>
    Effect.gen(function* () {
      const { gate, ran, send, textOf } = yield* faced({}, authenticated, way)
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

  itLive("refuses a body that cannot be read to its end", () =>
    Effect.gen(function* () {
      const { ran, serve, textOf } = yield* faced({}, authenticated, way)
      const body = new ReadableStream({ start: (controller) => controller.error(new Error("broken off")) })
      const headers = { authorization: "Bearer known", "content-type": "application/json", "content-length": "2" }
      const answer = yield* serve(new Request(`http://localhost${PATH}`, { method: "POST", headers, body }))
      expect([ran, answer.status, JSON.parse(yield* textOf(answer)).code]).toEqual([[], 400, "invalid_request"])
    })
  )

  itLive("counts a request once, whichever way it takes", () =>
    Effect.gen(function* () {
      const { ran, routed, send, textOf } = yield* faced({ RATE_LIMITS: "on" }, authenticated, way)
      const left = (answer: Response) => Number(answer.headers.get("x-ratelimit-remaining"))
      const first = yield* send("{}")
      yield* send("{")
      yield* send("", {}, "GET", `${PATH}/kept`)
      expect(left(yield* send("{}"))).toBe(left(first) - 3)
      for (let more = left(first) - 3; more > 0; more--) yield* send("{}")
      const before = ran.length
      const refused = yield* send("{}")
      expect([refused.status, JSON.parse(yield* textOf(refused)).code]).toEqual([429, "rate_limited"])
      expect([ran.length, routed]).toEqual([before, ["{"]])
    })
  )
}

for (const way of WAYS) describe(`A fast endpoint that is asked ${way}`, () => endpoint(way))

/** What passed a phase of a commit so far. */
const passed = (phase: string) =>
  Effect.map(Metric.snapshot, (snapshots) =>
    snapshots
      .filter(({ attributes, id }) => id === "emporion_commit_phase_commits" && attributes?.["phase"] === phase)
      .reduce((sum, { state }) => sum + ("count" in state ? Number(state.count) : 0), 0)
  )

describe("Every request", () => {
  itLive("makes one span where requests are traced, whichever way it takes", () =>
    Effect.gen(function* () {
      const { ran, send, spans } = yield* faced({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })
      const told = (response: Response) => [
        response.status,
        spans.splice(0).map(({ attributes, name }) => [name, attributes.get("http.response.status_code")])
      ]
      expect(told(yield* send('{"a":1}'))).toEqual([200, [["POST", 200]]])
      expect(told(yield* send('{"fail":1}'))).toEqual([409, [["POST", 409]]])
      expect(told(yield* send("", {}, "GET", `${PATH}/kept`))).toEqual([200, [["GET", 200]]])
      expect(told(yield* send("{"))).toEqual([200, [["POST", 200]]])
      expect(told(yield* send("{}", { "content-length": "1048577" }))).toEqual([413, [["POST", 413]]])
      expect(ran).toHaveLength(2)
    })
  )

  itLive("makes no span of its own or below it where it is not chosen, whichever way it takes", () =>
    Effect.gen(function* () {
      const { send, spans } = yield* faced({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
        OTEL_TRACES_SAMPLER_ARG: "0"
      })
      const sampled = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
      for (const headers of [{}, sampled]) {
        const statuses = [
          yield* send('{"below":1}', headers),
          yield* send('{"fail":1}', headers),
          yield* send("", headers, "GET", `${PATH}/kept`),
          yield* send("{", headers),
          yield* send("{}", { ...headers, "content-length": "1048577" })
        ].map(({ status }) => status)
        expect([statuses, spans]).toEqual([[200, 409, 200, 200, 413], []])
      }
    })
  )
})

describe("A commitment", () => {
  itLive("is added to the phase of the conventions, and to the order's where that decides it", () =>
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
})

describe("The contract", () => {
  itLive("names the endpoints that are asked for often", () =>
    Effect.sync(() => {
      const fast: Array<string> = []
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ endpoint, mergedAnnotations }) => {
          if (Context.get(mergedAnnotations, Fast)) fast.push(`${endpoint.method} ${endpoint.path}`)
        }
      })
      expect(fast.toSorted()).toEqual([
        "GET /api/arena/commitments/my",
        "GET /api/arena/orders",
        "GET /api/arena/orders/:order_id",
        "GET /v1/commerce/catalog",
        "GET /v1/commerce/products",
        "GET /v1/commerce/products/:id",
        "GET /v1/orders",
        "GET /v1/orders/:id",
        "POST /api/arena/commitments",
        "POST /v1/orders",
        "POST /v1/transfers"
      ])
    })
  )
})
