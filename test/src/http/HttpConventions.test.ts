import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { CATALOGUE } from "../../../src/api/ApiError.ts"
import type { Code } from "../../../src/api/ApiError.ts"
import { namedIn } from "../../../src/api/FieldError.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { cutSentence } from "../../../src/http/RequestDeadline.ts"
import { withLayer } from "../../lib/Effects.ts"
import { REFUSALS } from "../../lib/ProbeApi.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { type Answer, post, send } from "../../lib/Requests.ts"

const ask = (path: string, init?: RequestInit): Effect.Effect<Answer, never, HttpServer> =>
  Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const expectError = (answer: Answer, code: Code, message?: unknown) => {
  const {
    errors = [],
    request_id: _,
    ...json
  } = answer.json as { errors?: ReadonlyArray<unknown>; request_id?: string }
  expect(json as object).toEqual({ message: message ?? CATALOGUE[code].sentence, code })
  expect(errors).toEqual([...namedIn(String(message))])
  expect(answer.status).toBe(CATALOGUE[code].status)
}

const AS_JSON = "Send the body as Content-Type: application/json."

const AS_FORM = "Send the body as Content-Type: application/x-www-form-urlencoded."

const JSON_TYPE = { type: "application/json" }

const item = { name: "a", amount: 1.5 }

const it = withLayer(layer())

describe("Every answer", () => {
  it("carries the rate limit, a request id and the security headers", () =>
    Effect.gen(function* () {
      const fail = (how: string) => ["POST", `/v1/probe/fail/${how}`, "{}"] as const
      const asked: ReadonlyArray<readonly [status: number, method: string, path: string, body?: string | Blob]> = [
        [200, "GET", "/v1/probe/items"],
        [200, "HEAD", "/v1/probe/items"],
        [200, "GET", "/docs"],
        [200, "GET", "/metrics"],
        [400, "GET", "/v1/probe/items?limit=x"],
        [401, "GET", "/v1/probe/whoami"],
        [404, "GET", "/nowhere"],
        [404, "OPTIONS", "/nowhere"],
        [405, "DELETE", "/v1/probe/items"],
        [405, "OPTIONS", "/v1/probe/items"],
        [409, ...fail("conflict")],
        [413, "POST", "/v1/probe/strict", "x".repeat(2_000_000)],
        [415, "POST", "/v1/probe/strict", new Blob(["x"], { type: "text/plain" })],
        [500, ...fail("defect")],
        [503, ...fail("unavailable")]
      ]
      for (const [status, method, path, body] of asked) {
        const answer = yield* ask(path, body === undefined ? { method } : { method, body })
        const { headers } = answer
        expect([method, path, answer.status]).toEqual([method, path, status])
        for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
          expect(headers.get(name)).toMatch(/^\d+$/)
        }
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers.get("x-content-type-options")).toBe("nosniff")
        expect(headers.get("content-security-policy")).toContain("default-src 'none'")
        expect(headers.get("strict-transport-security")).toBeNull()
      }
    }))

  it("repeats a sane request id and replaces any other", () =>
    Effect.gen(function* () {
      const sent = (id: string) =>
        Effect.map(ask("/nowhere", { headers: { "x-request-id": id } }), ({ headers }) => headers.get("x-request-id"))
      expect(yield* sent("order-7.a_b")).toBe("order-7.a_b")
      expect(yield* sent("a b")).not.toBe("a b")
      expect(yield* sent("x".repeat(65))).not.toBe("x".repeat(65))
    }))
})

describe("Errors", () => {
  it("404 for a path that is not written exactly", () =>
    Effect.gen(function* () {
      const written = [
        "/v1/probe/admin/",
        "/v1//probe/items",
        "/v1/probe/items//",
        "/V1/probe/items",
        "/v1/Probe/Items/1"
      ]
      for (const path of [...written, "/nowhere/"]) {
        expectError(yield* ask(path, post(item, {}, "admin")), "not_found", "Write the path as it is documented.")
      }
      for (const path of ["/", "/Nowhere", "/v1/probe"]) {
        expectError(yield* ask(path, post(item, {}, "admin")), "not_found")
      }
      const aliases = ["/v1/probe/items;a=b", "/v1/%70robe/items"]
      const keyed = post(item, { "idempotency-key": "semicolon" }, "buyer")
      expect((yield* ask("/v1/probe/items", keyed)).status).toBe(200)
      for (const path of aliases)
        expectError(yield* ask(path, keyed), "not_found", "Write the path as it is documented.")
      const nameless = ["/v1/probe/items/", "/v1/probe/fail/"]
      for (const path of nameless) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const { json, status } = yield* ask(path, method === "GET" ? {} : { ...keyed, method })
          expect([path, method, status, json]).toMatchObject([path, method, 404, { code: "not_found" }])
        }
      }
    }))

  it("404 and 405 with Allow", () =>
    Effect.gen(function* () {
      expectError(yield* ask("/nowhere"), "not_found")
      const wrong = yield* ask("/v1/probe/items", { method: "DELETE" })
      expectError(wrong, "method_not_allowed")
      expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST")
      const options = yield* ask("/openapi.json", { method: "OPTIONS" })
      expect([options.status, options.headers.get("allow")]).toEqual([405, "GET, HEAD"])
      expect((yield* ask("/openapi.json", { method: "HEAD" })).status).toBe(200)
      expect((yield* ask("/api/arena/nowhere")).json).toEqual({
        success: false,
        message: CATALOGUE.not_found.sentence,
        code: "not_found"
      })
    }))

  it("415 for a body that does not say what it is, and takes none without a type", () =>
    Effect.gen(function* () {
      const refused = yield* ask("/v1/probe/strict", { method: "POST", body: new Blob(['{"name":"a"}']) })
      expectError(refused, "unsupported_media_type", AS_JSON)
      expect((yield* ask("/v1/probe/strict", { method: "POST" })).status).not.toBe(415)
    }))

  it("415 names the types that the operation takes", () =>
    Effect.gen(function* () {
      for (const body of [new Blob(["name=a"]), new Blob(["{}"], { type: "application/json" })]) {
        const refused = yield* ask("/v1/probe/form", { method: "POST", body })
        expectError(refused, "unsupported_media_type", AS_FORM)
      }
    }))

  it("413 by length and by content, 415, and malformed JSON", () =>
    Effect.gen(function* () {
      expectError(yield* ask("/v1/probe/strict", post("x".repeat(2_000_000))), "payload_too_large")
      const chunks = new ReadableStream({
        start: (controller) => {
          for (let n = 0; n < 20; n++) controller.enqueue(new Uint8Array(100_000))
          controller.close()
        }
      })
      expectError(yield* ask("/v1/probe/strict", { ...post("{}"), body: chunks }), "payload_too_large")
      expectError(
        yield* ask("/v1/probe/strict", post("<a/>", { "content-type": "text/xml" })),
        "unsupported_media_type",
        AS_JSON
      )
      expectError(yield* ask("/v1/probe/strict", post("{")), "invalid_request", "payload: Expected a valid JSON body")
    }))

  it("400 for a body that is no UTF-8, and none for one that has the sign for such bytes", () =>
    Effect.gen(function* () {
      const sent = (bytes: Uint8Array<ArrayBuffer>, path: string, headers: Readonly<Record<string, string>> = {}) =>
        ask(path, { ...post(item, headers, "buyer"), body: new Blob([bytes]) })
      const whole = (name: string) => new TextEncoder().encode(JSON.stringify({ ...item, name }))
      for (const path of ["/v1/probe/strict", "/v1/probe/items"]) {
        for (const broken of [[0xfc], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f, 0x99]]) {
          const parts = Buffer.from(whole("M§ller")).toString("latin1").split("\u00c2\u00a7")
          const bytes = new Uint8Array(Buffer.from(parts.join(String.fromCharCode(...broken)), "latin1"))
          const keyed = yield* sent(bytes, path, { "idempotency-key": broken.join("-") })
          const cut = yield* sent(bytes.slice(0, bytes.lastIndexOf(broken.at(-1) ?? 0) + 1), path)
          for (const refused of [yield* sent(bytes, path), keyed, cut]) {
            expectError(refused, "invalid_request", "payload: Expected a body that is valid UTF-8")
          }
        }
        for (const name of ["Müller", "M\ufffdller", "\u{1f642}"]) {
          expect((yield* sent(whole(name), path)).status).toBe(200)
        }
      }
      const stranger = yield* ask("/v1/probe/items", {
        ...post(item),
        body: new Blob([new Uint8Array([0xfc])], JSON_TYPE)
      })
      expect(stranger.status).toBe(401)
    }))

  it("name the field and what was expected", () =>
    Effect.gen(function* () {
      const told = (body: string) =>
        Effect.map(ask("/v1/probe/strict", post(body)), ({ json }) => (json as { message: string }).message)
      const decimal = "payload.amount: Expected a non-negative decimal number"
      expect(yield* told('{"name":"a"}')).toBe("payload.amount: Expected a value, and none was given")
      expect(yield* told('{"name":1,"amount":1}')).toBe("payload.name: Expected string")
      expect(yield* told('{"name":"a","amount":-1}')).toBe(decimal)
      expect(yield* told('{"name":"a","amount":1e300}')).toBe("payload.amount: Expected at most 8000000000")
      expect(yield* told('{"name":"a","amount":"NaN"}')).toBe("payload.amount: Expected number")
      expect(yield* told('{"name":"a","amount":1,"x":1}')).toBe("payload.x: Expected no field of this name")
      const query = (text: string) =>
        Effect.map(ask(`/v1/probe/items?${text}`), ({ json }) => (json as { message: string }).message)
      expect(yield* query("status=bogus")).toBe('query.status: Expected "open" or "settled"')
      expect(yield* query("status=open&status=settled")).toBe(
        "query.status: Expected one value, and several were given"
      )
      expect(yield* query("limit=1&limit=2")).toBe("query.limit: Expected one value, and several were given")
      expect(yield* query("limit=101")).toBe("query.limit: Expected an integer from 1 to 100")
      expect(yield* query("offset=-1")).toBe("query.offset: Expected an integer from 0 to 1000000")
      expect((yield* ask("/v1/probe/items")).json).toEqual({ limit: 100, offset: 0 })
      expect((yield* ask("/v1/probe/items?limit=100&offset=7")).json).toEqual({ limit: 100, offset: 7 })
    }))

  it("500 says an id and nothing else", () =>
    Effect.gen(function* () {
      for (const how of ["defect", "body"]) {
        const answer = yield* ask(`/v1/probe/fail/${how}`, post({}, { "x-request-id": "look-me-up" }))
        expectError(answer, "internal", "Something failed on our side. Quote the id look-me-up to have it looked up.")
      }
    }))

  it("503 with Retry-After", () =>
    Effect.gen(function* () {
      const away = yield* ask("/v1/probe/fail/unavailable", post({}))
      expectError(away, "unavailable", cutSentence("POST"))
      expect(away.headers.get("retry-after")).toBe("1")
      const offline = yield* ask("/v1/probe/whoami", { headers: { authorization: "Bearer offline" } })
      expectError(offline, "unavailable")
      const untried = yield* ask("/v1/probe/fail/unavailable", post({}, {}, "offline"))
      expectError(untried, "unavailable")
    }))
})

describe("Authorization", () => {
  const whoami = (authorization?: string) =>
    ask("/v1/probe/whoami", authorization === undefined ? {} : { headers: { authorization } })

  it("gives the handler the token's principal", () =>
    Effect.gen(function* () {
      expect((yield* whoami("Bearer buyer")).json).toEqual({ user_id: "usr_buyer", kind: "user" })
      expect((yield* whoami("bearer service")).json).toEqual({ user_id: "cli_probe", kind: "service" })
    }))

  it("401 with WWW-Authenticate", () =>
    Effect.gen(function* () {
      for (const given of [undefined, "Basic YTpi", "Bearer"]) {
        const answer = yield* whoami(given)
        expectError(answer, "unauthorized")
        expect(answer.headers.get("www-authenticate")).toBe("Bearer")
      }
      const expired = yield* whoami("Bearer expired")
      expectError(expired, "unauthorized", "The access token is expired: refresh it.")
      expect(expired.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"')
    }))

  it("403 without the scope or the role", () =>
    Effect.gen(function* () {
      const unscoped = yield* ask("/v1/probe/items", post(item, {}, "reader"))
      expectError(unscoped, "insufficient_scope", "The access token lacks the scope orders:write.")
      expect((yield* ask("/v1/probe/items", post(item, {}, "buyer"))).status).toBe(200)
      expectError(
        yield* ask("/v1/probe/admin", post({}, {}, "buyer")),
        "access_denied",
        "Only an administrator may do that."
      )
      expect((yield* ask("/v1/probe/admin", post({}, {}, "admin"))).status).toBe(200)
    }))

  it("an open endpoint ignores a bad token", () =>
    Effect.gen(function* () {
      expect((yield* ask("/v1/probe/items", { headers: { authorization: "Bearer expired" } })).status).toBe(200)
    }))
})

const ARENA: Readonly<Record<string, readonly [number, string, string]>> = {
  CircuitBreakerOpen: [503, "ARENA_009", "Trading in fx is paused by its circuit breaker: try again in 42 seconds."],
  OrderNotFound: [404, "ARENA_001", "There is no order ord_1: list /api/arena/orders to find one."],
  OrderNotOpen: [409, "ARENA_003", "Order ord_1 is settled: commit to one that is open or competing."],
  WindowClosed: [
    410,
    "ARENA_004",
    "The commitment window of order ord_1 closed at 2023-11-14T22:13:20.000Z: choose another order."
  ],
  MachineNotRegistered: [403, "ARENA_006", "No active machine trader mtr_1 is registered for this account."],
  AccessDenied: [403, "access_denied", "The market maker's owner may not commit."],
  InvalidTerms: [422, "ARENA_005", "payload.quantity: Expected at most 10"],
  LossLimitReached: [
    422,
    "loss_limit",
    "Machine trader mtr_1 may risk 1 USD more and this needs 3.81 USD: lower the quantity or wait for open commitments to settle."
  ],
  VaultClosed: [503, "ARENA_008", CATALOGUE.ARENA_008.sentence],
  InsufficientCollateral: [
    422,
    "ARENA_002",
    "The collateral is 381 USD and 12.5 USD is free: add funds or lower the quantity."
  ],
  TooManyCommitments: [429, "rate_limited", "One owner may hold 1000 commitments on an order: choose another order."],
  OrderFull: [429, "rate_limited", "An order takes 20000 commitments: choose another order."]
}

describe("The arena", () => {
  const commit = (refusal: string, quantity: unknown = 2, token = "buyer") =>
    ask("/api/arena/probe", post({ refusal, quantity }, {}, token))

  for (const name of Object.keys(REFUSALS)) {
    it(`answers ${name} with its code`, () =>
      Effect.gen(function* () {
        const [status, code, message] = ARENA[name] ?? [0, "", ""]
        const answer = yield* commit(name)
        expect(answer.json).toEqual({ success: false, message, code })
        expect(answer.status).toBe(status)
        expect(answer.headers.get("retry-after")).toEqual(
          name === "CircuitBreakerOpen"
            ? "42"
            : status === 503 || status === 429
              ? expect.stringMatching(/^\d+$/)
              : null
        )
      }))
  }

  it("shapes the platform's own refusals too", () =>
    Effect.gen(function* () {
      expect((yield* commit("none", -1)).json).toMatchObject({ success: false, code: "invalid_request" })
      expect((yield* commit("none", 2, "expired")).json).toMatchObject({ success: false, code: "unauthorized" })
      expect((yield* commit("none")).json).toEqual({ success: true, profit: 2 })
    }))
})
