import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Principal } from "../../../src/api/Authorization.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { MAX_REFUSED_TOKENS, RateLimiter } from "../../../src/http/RateLimiter.ts"
import { layer as spentCallers, SpentCallers } from "../../../src/http/SpentCallers.ts"
import { TokenVerifier } from "../../../src/http/TokenVerifier.ts"
import * as WebSocketRoutes from "../../../src/http/WebSocketRoutes.ts"
import { itEffect, withLayer } from "../../lib/Effects.ts"
import { layer, settings } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"
import { connectStalled } from "../../lib/StreamClient.ts"

const LIMIT = 100
const PEER = "198.51.100.1"
const PATH = "/api/arena/orders"

const principal: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "com_1",
  role: "buyer",
  scopes: ["orders:read"],
  kind: "user",
  status: "active"
}

/** What refuses, and the limiter that it looks at. */
const made = (variables: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { refuse } = yield* SpentCallers
    const limiter = yield* RateLimiter
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const spend = (caller: string, who?: Principal) => {
      for (let sent = 0; sent < LIMIT; sent++) limiter.take(caller, who, now)
    }
    const ask = (headers: Readonly<Record<string, string>> = {}, path = PATH, method = "GET") =>
      refuse(new Request(`http://localhost${path}`, { method, headers }), path, PEER)?.status
    const refuseTokens = (address: string, many: number) => {
      for (let sent = 0; sent < many; sent++) limiter.tokenRefused(address, now)
    }
    return { ask, refuseTokens, spend }
  }).pipe(
    Effect.provide(
      spentCallers.pipe(
        Layer.provideMerge(RateLimiter.layer),
        Layer.provide(settings({ RATE_LIMITS: "on", ...variables })),
        Layer.provide(
          Layer.succeed(
            TokenVerifier,
            TokenVerifier.of({
              isSigned: (token) => token === "signed",
              known: (token) => (token === "known" ? principal : undefined),
              verify: () => Effect.die("nobody is asked")
            })
          )
        )
      )
    )
  )

describe("SpentCallers", () => {
  itEffect("refuses tokens of an address that sent too many that were refused, and none that is known to be good", () =>
    Effect.gen(function* () {
      const { ask, refuseTokens } = yield* made()
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
      refuseTokens(PEER, MAX_REFUSED_TOKENS - 1)
      expect(ask(bearer("other"))).toBeUndefined()
      refuseTokens(PEER, 1)
      expect(ask(bearer("other"))).toBe(429)
      expect([ask(bearer("signed")), ask(bearer("known")), ask()]).toEqual([undefined, undefined, undefined])
      refuseTokens("198.51.100.2", MAX_REFUSED_TOKENS)
      expect(ask({ ...bearer("other"), "x-forwarded-for": "198.51.100.3" })).toBe(429)
    })
  )

  itEffect("refuses an address, or who is known by a token, once all requests are spent", () =>
    Effect.gen(function* () {
      const { ask, spend } = yield* made()
      expect([ask(), ask({ authorization: "Bearer known" })]).toEqual([undefined, undefined])
      spend(`address:${PEER}`)
      expect([ask(), ask({}, PATH, "POST"), ask({ authorization: "Basic x" })]).toEqual([429, 429, 429])
      expect(ask({ authorization: "Bearer known" })).toBeUndefined()
      spend("user:usr_1", principal)
      expect(ask({ authorization: "Bearer known" })).toBe(429)
    })
  )

  itEffect("leaves to the router whom only others know, and what is counted against nobody", () =>
    Effect.gen(function* () {
      const { ask, spend } = yield* made({ CORS_ORIGINS: "https://example.com" })
      spend(`address:${PEER}`)
      const left = [
        ask({ authorization: "Bearer unknown" }),
        ask({ cookie: "emporion_session=s" }),
        ask({ "sec-websocket-protocol": "ticket.t" }),
        ask({ origin: "https://example.com" }),
        ask({}, "/health/live"),
        ask({}, PATH, "HEAD")
      ]
      expect(left).toEqual(left.map(() => undefined))
    })
  )

  itEffect("refuses nobody where limits are off, or requests are traced", () =>
    Effect.gen(function* () {
      for (const variables of [{ RATE_LIMITS: "off" }, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }]) {
        const { ask, spend } = yield* made(variables)
        spend(`address:${PEER}`)
        expect(ask()).toBeUndefined()
      }
    })
  )
})

/** Upgrades that somebody was asked about. */
const asked: Array<string> = []

const watched = WebSocketRoutes.make({
  path: "/ws/watched",
  authorize: ({ headers }) =>
    Effect.sync(() => {
      asked.push(headers.get("host") ?? "")
      return { state: undefined, principal: undefined }
    }),
  open: () => {},
  message: () => {},
  close: () => {},
  drain: () => {},
  shutdown: Effect.void
})

const it = withLayer(
  layer({ RATE_LIMITS: "on" }).pipe(Layer.provide(Layer.succeed(WebSocketRoutes.WebSocketRoutes, [watched])))
)

/** What differs from one answer to the next. */
const OWN = new Set(["x-request-id", "date"])

const headersOf = (headers: Headers) => [...headers].filter(([name]) => !OWN.has(name)).toSorted()

describe("A server whose caller has spent all requests", () => {
  it("answers as the router does, and asks nobody about an upgrade", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      for (let sent = 0; sent < LIMIT; sent++) yield* send(`${url}/nowhere`)
      for (const path of ["/v1/probe/items", "/api/arena/orders", "/v1/authorize", "/nowhere"]) {
        const early = yield* send(`${url}${path}`)
        const routed = yield* send(`${url}${path}`, { headers: { cookie: "other=1" } })
        expect([early.status, early.text]).toEqual([429, routed.text])
        expect(headersOf(early.headers)).toEqual(headersOf(routed.headers))
      }
      expect((yield* send(`${url}/metrics`)).status).toBe(200)
      const { handshake } = yield* connectStalled(`${url}/ws/watched`, "")
      expect(handshake).toStartWith("HTTP/1.1 429")
      expect(handshake.toLowerCase()).toContain("connection: close")
      expect(asked).toEqual([])
    }))
})
