import { describe, expect, it as plain } from "bun:test"
import { Effect } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { pageQuery } from "../../../src/api/Paging.ts"
import { TakesAnyQuery } from "../../../src/api/Conventions.ts"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { unknownParameters } from "../../../src/http/RequestValidation.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { post, send } from "../../lib/Requests.ts"

const it = withLayer(layer())

const ask = (path: string, init?: RequestInit) => Effect.flatMap(HttpServer, ({ url }) => send(`${url}${path}`, init))

const EXPECTED = "one of the parameters limit, offset, after, status"

describe("Parameters that an endpoint does not know", () => {
  const list = HttpApiEndpoint.get("list", "/list", { query: { limit: pageQuery.limit } })
  const bare = HttpApiEndpoint.get("bare", "/bare")

  plain("are named with those that it knows", () => {
    expect(unknownParameters(list, { limit: "1" })).toEqual([])
    expect(unknownParameters(list, { format: "csv", limit: "1", Limit: ["1", "2"] })).toEqual([
      { field: "query.format", expected: "one of the parameters limit" },
      { field: "query.Limit", expected: "one of the parameters limit" }
    ])
    expect(unknownParameters(bare, { a: "1" })).toEqual([{ field: "query.a", expected: "no parameters here" }])
    expect(unknownParameters(list.annotate(TakesAnyQuery, true), { utm_source: "mail" })).toEqual([])
  })

  it("are refused, but not before it is known that the caller is let in", () =>
    Effect.gen(function* () {
      const refused = yield* ask("/v1/probe/items?format=csv")
      expect([refused.status, refused.json]).toEqual([
        400,
        {
          message: `query.format: Expected ${EXPECTED}`,
          code: "invalid_request",
          errors: [{ field: "query.format", expected: EXPECTED }],
          request_id: refused.headers.get("x-request-id")
        }
      ])
      expect((yield* ask("/v1/probe/whoami?a=1")).status).toBe(401)
      expect((yield* ask("/v1/probe/admin?a=1", post({}, {}, "unknown"))).status).toBe(401)
      expect((yield* ask("/v1/probe/admin?a=1", post({}, {}, "buyer"))).status).toBe(403)
      expect((yield* ask("/v1/probe/admin?a=1", post({}, {}, "admin"))).status).toBe(400)
    }))
})

describe("The faults of a request", () => {
  it("are told all at once, of its path, its query and its body", () =>
    Effect.gen(function* () {
      const sent = post({ name: 7, amount: -1, more: true }, { "x-request-id": "mine-7" })
      const { json, status } = yield* ask("/v1/probe/strict?dry=1", sent)
      expect(status).toBe(400)
      expect(json).toEqual({
        message: "query.dry: Expected no parameters here",
        code: "invalid_request",
        errors: [
          { field: "query.dry", expected: "no parameters here" },
          { field: "payload.more", expected: "no field of this name" },
          { field: "payload.name", expected: "string" },
          { field: "payload.amount", expected: "a non-negative decimal number" }
        ],
        request_id: "mine-7"
      })
      const query = yield* ask("/v1/probe/items?limit=0&offset=x&status=new&format=csv")
      expect((query.json as { errors: ReadonlyArray<{ field: string }> }).errors.map(({ field }) => field)).toEqual([
        "query.format",
        "query.limit",
        "query.offset",
        "query.status"
      ])
    }))

  it("are told once of a body that is not there, unless none is needed", () =>
    Effect.gen(function* () {
      const expected = "a body, and none was given"
      for (const sent of [post(""), { method: "POST" }]) {
        const { json } = yield* ask("/v1/probe/strict", sent)
        expect(json).toMatchObject({
          message: `payload: Expected ${expected}`,
          errors: [{ field: "payload", expected }]
        })
      }
      const { json } = yield* ask("/v1/probe/secrets?a=1", { method: "POST" })
      expect(json).toMatchObject({ errors: [{ field: "query.a", expected: "no parameters here" }] })
    }))

  it("are told of a field of a form that comes twice", () =>
    Effect.gen(function* () {
      const form = (body: string) =>
        ask("/v1/probe/form", {
          method: "POST",
          body,
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      expect((yield* form("name=a&kind=b")).json).toEqual({ name: "a" })
      const { json } = yield* form("name=a&kind=b&name=c&kind=d")
      const expected = "one value, and several were given"
      expect(json).toMatchObject({
        errors: [
          { field: "payload.name", expected },
          { field: "payload.kind", expected }
        ]
      })
    }))

  it("are told of what the body is, where it cannot be read", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/v1/probe/strict", post("{"))
      expect(json).toMatchObject({
        message: "payload: Expected a valid JSON body",
        errors: [{ field: "payload", expected: "a valid JSON body" }]
      })
    }))
})
