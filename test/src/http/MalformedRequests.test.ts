import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { CATALOGUE } from "../../../src/api/ApiError.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { type Answer, sendAsync } from "../../lib/Requests.ts"

const it = withLayer(layer())

const PATHS = [
  "/v1/probe/items",
  "/v1/probe/strict",
  "/v1/probe/items/1",
  "/v1/probe/secrets",
  "/v1/probe/whoami",
  "/v1/probe/admin",
  "/api/arena/probe",
  "/health/live",
  "/metrics",
  "/docs",
  "/"
]

const hostileText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "%",
    "%E0%A4%A",
    "../../etc/passwd",
    "\u0000",
    "__proto__",
    "'; DROP TABLE x; --",
    "NaN",
    "1e300",
    "💥"
  )
)

const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), hostileText)
      .map(([base, tail]) => `${base}/${encodeURIComponent(tail.toWellFormed())}`)
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), fc.constantFrom("%", "%zz", "//", ";a=b", "?", "#x", "%2e%2e/"))
      .map(([base, tail]) => base + tail)
  }
)

const query = fc
  .dictionary(fc.constantFrom("limit", "offset", "status", "x", "__proto__"), hostileText, { maxKeys: 3 })
  .map((pairs) =>
    new URLSearchParams(Object.entries(pairs).map(([key, value]) => [key, value.toWellFormed()])).toString()
  )

const number = fc.oneof(
  fc.double(),
  fc.constantFrom(-1, -0, 1e300, 5e-324, 1.1234567, 8_000_000_001, 2 ** 53, 0.1 + 0.2)
)

const value = fc.oneof(number, hostileText, fc.constant(null), fc.boolean(), fc.jsonValue({ maxDepth: 3 }))

const body = fc.oneof(
  fc
    .record({ name: value, amount: value, refusal: value, quantity: value }, { requiredKeys: [] })
    .map((fields) => JSON.stringify(fields)),
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.constantFrom(
    "",
    "{",
    "NaN",
    '{"amount":NaN}',
    '{"amount":1e999}',
    "[".repeat(10_000),
    '{"__proto__":{"x":1}}',
    "\ufeff{}",
    "null"
  ),
  hostileText
)

const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "text/plain",
      "application/xml",
      "",
      "multipart/form-data",
      "application/json; charset=x"
    ),
    authorization: fc.constantFrom(
      "Bearer buyer",
      "Bearer admin",
      "Bearer",
      "Basic Og==",
      "Bearer x.y.z",
      "bearer  buyer"
    ),
    "idempotency-key": fc.oneof(fc.uuid(), fc.constantFrom("", "a b", "x".repeat(300))),
    "x-request-id": fc.constantFrom("ok", "a\tb", "x".repeat(200)),
    "x-forwarded-for": fc.constantFrom("1.2.3.4", "garbage, ::1", ",,,")
  },
  { requiredKeys: [] }
)

const method = fc.constantFrom("GET", "POST", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")

const isError = ({ status }: Answer): boolean => status >= 400

const expectOrderly = (answer: Answer, isHead: boolean): void => {
  expect(answer.status).toBeLessThan(500)
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
    expect(answer.headers.get(name)).toMatch(/^\d+$/)
  }
  expect(answer.text).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|\/src\/|_tag/)
  if (!isError(answer) || isHead) return
  expect(answer.headers.get("content-type")).toContain("application/json")
  const { code, message } = answer.json as { code: keyof typeof CATALOGUE; message: string }
  expect(CATALOGUE[code].status).toBe(answer.status as never)
  expect(message.length).toBeGreaterThan(0)
  expect(message.length).toBeLessThanOrEqual(1000)
}

describe("Malformed requests", () => {
  it("are refused in an orderly way, whatever they are", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const statuses = new Map<number, number>()
      const check = fc.asyncProperty(method, path, query, headers, body, async (method, path, query, headers, body) => {
        const withBody = method !== "GET" && method !== "HEAD" ? { body: body.toWellFormed() } : {}
        const target = `${url}${path}${query === "" || path.includes("?") || path.includes("#") ? "" : `?${query}`}`
        const answer = await sendAsync(target, { method, headers, ...withBody })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        expectOrderly(answer, method === "HEAD")
      })
      yield* Effect.promise(() => fc.assert(check, { ...property(), numRuns: Math.max(300, property().numRuns ?? 0) }))
      expect([...statuses.keys()].filter((status) => status >= 400).length).toBeGreaterThan(4)
    }))
})
