import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"

const it = withLayer(layer({ RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1", PUBLIC_URL: "https://example.com" }))

const from = (address: string, path = "/v1/probe/items", token?: string) =>
  Effect.flatMap(HttpServer, ({ url }) =>
    send(`${url}${path}`, {
      headers: { "x-forwarded-for": address, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    })
  )

const exhaust = (address: string, token?: string) =>
  Effect.forEach(Array.from({ length: 101 }), () => from(address, "/v1/probe/items", token))

describe("Rate limits", () => {
  it("429 with Retry-After by forwarded address, and probes are not counted", () =>
    Effect.gen(function* () {
      const answers = yield* exhaust("198.51.100.1")
      const last = answers.pop()
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(last?.json).toMatchObject({ code: "rate_limited" })
      const wait = Number(last?.headers.get("retry-after"))
      expect(wait).toBeGreaterThanOrEqual(1)
      expect(wait).toBeLessThanOrEqual(60)
      expect(last?.headers.get("x-ratelimit-remaining")).toBe("0")
      expect((yield* from("198.51.100.2")).status).toBe(200)
      expect((yield* from("198.51.100.1", "/metrics")).status).toBe(401)
    }))

  it("429 for too many bytes in large bodies, before they are read", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const large = JSON.stringify({ name: "x".repeat(1_000_000), amount: 1 })
      const sent = { headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.9" } }
      const post = (body: string) => send(`${url}/v1/probe/strict`, { ...sent, method: "POST", body })
      expect([(yield* post(large)).status, (yield* post(large)).status]).toEqual([200, 200])
      const refused = yield* post(large)
      expect([refused.status, refused.json]).toMatchObject([429, { code: "rate_limited" }])
      expect(refused.headers.get("retry-after")).toBe("1")
      expect((yield* post(JSON.stringify({ name: "x", amount: 1 }))).status).toBe(200)
    }))

  it("counts a user whatever the address", () =>
    Effect.gen(function* () {
      const left = ({ headers }: { headers: Headers }) => Number(headers.get("x-ratelimit-remaining"))
      const first = yield* from("198.51.100.3", "/v1/probe/whoami", "buyer")
      const second = yield* from("198.51.100.4", "/v1/probe/whoami", "buyer")
      const other = yield* from("198.51.100.4", "/v1/probe/whoami", "other")
      expect([left(first), left(second), left(other)]).toEqual([99, 98, 99])
    }))

  it("asks browsers for https where the public address has it", () =>
    Effect.gen(function* () {
      expect((yield* from("198.51.100.5")).headers.get("strict-transport-security")).toBe("max-age=31536000")
    }))
})
