import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { itLive, withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"
import { TestServer } from "../../lib/TestServer.ts"

const LISTED = "https://app.example.com"
const OTHER = "https://app.example.com.evil.example"

const it = withLayer(layer({ CORS_ORIGINS: `${LISTED}, http://localhost:5173` }))

const ask = (path: string, init: RequestInit) => Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const preflight = (origin: string, path = "/v1/probe/items") =>
  ask(path, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
  })

/** Every header that speaks of origins. */
const spoken = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"))

const EXPOSED = {
  "access-control-allow-origin": LISTED,
  "access-control-expose-headers": expect.stringContaining("x-ratelimit-remaining"),
  vary: "Origin"
}

describe("Pages of other origins", () => {
  it("may send requests where their origin is listed", () =>
    Effect.gen(function* () {
      const answer = yield* preflight(LISTED)
      expect([answer.status, answer.text]).toEqual([204, ""])
      expect(spoken(answer.headers)).toEqual({
        ...EXPOSED,
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "authorization, content-type, emporion-position, idempotency-key, x-request-id",
        "access-control-max-age": "600"
      })
      expect(answer.headers.get("x-ratelimit-limit")).toBe("100")
    }))

  it("may read every answer, errors too, and never with credentials", () =>
    Effect.gen(function* () {
      const headers = { origin: LISTED }
      const answers = [
        yield* ask("/v1/probe/items", { headers }),
        yield* ask("/v1/probe/items", post({}, headers, "buyer")),
        yield* ask("/nowhere", { headers }),
        yield* ask("/v1/probe/whoami", { headers }),
        yield* ask("/v1/probe/items", { method: "DELETE", headers })
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 401, 405])
      for (const answer of answers) expect(spoken(answer.headers)).toEqual(EXPOSED)
    }))

  it("are told nothing where their origin is not listed", () =>
    Effect.gen(function* () {
      for (const origin of [OTHER, "null", "*", `${LISTED}:443`, LISTED.toUpperCase()]) {
        const asked = yield* preflight(origin)
        expect([asked.status, spoken(asked.headers)]).toEqual([405, { vary: "Origin" }])
        const read = yield* ask("/v1/probe/items", { headers: { origin } })
        expect([read.status, spoken(read.headers)]).toEqual([200, { vary: "Origin" }])
      }
      const unasked = yield* ask("/v1/probe/items", { method: "OPTIONS", headers: { origin: LISTED } })
      expect(unasked.status).toBe(405)
      expect((yield* preflight(LISTED, "/nowhere")).status).toBe(404)
    }))

  itLive("read answers that never pass the router alike, and nobody may by default", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ CORS_ORIGINS: LISTED })
      const { id } = yield* server.user()
      const list = () => server.request("GET", "/api/arena/orders", undefined, { as: id, headers: { origin: LISTED } })
      yield* list()
      expect(spoken((yield* list()).headers)).toEqual(EXPOSED)
      yield* server.restart({})
      yield* list()
      expect(spoken((yield* list()).headers)).toEqual({})
    })
  )
})
