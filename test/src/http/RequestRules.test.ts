import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { isUtf8 } from "node:buffer"
import { gzipSync } from "node:zlib"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { property } from "../../lib/Property.ts"
import { ask as askAsync, post, send } from "../../lib/Requests.ts"

const ask = (path: string, init?: RequestInit) =>
  Effect.flatMap(HttpServer, ({ url }) => Effect.promise(() => askAsync(url, path, init)))

const it = withLayer(layer())

const item = { name: "a", amount: 1.5 }

describe("A compressed body", () => {
  const message = "Send the body as it is, without Content-Encoding: the server takes no compressed body."

  const sent = (path: string, encoding: string, body: Uint8Array<ArrayBuffer> | string) =>
    ask(path, { ...post(item, { "content-encoding": encoding }, "buyer"), body })

  it("is 415 with a sentence that says to send it as it is", () =>
    Effect.gen(function* () {
      const json = JSON.stringify(item)
      for (const path of ["/v1/probe/strict", "/v1/probe/items"]) {
        for (const encoding of ["gzip", "br", "deflate, gzip", "GZIP", "none-of-these"]) {
          const refused = yield* sent(path, encoding, gzipSync(json))
          expect([encoding, refused.status, refused.json]).toEqual([
            encoding,
            415,
            { message, code: "unsupported_media_type" }
          ])
          expect(refused.headers.get("accept-encoding")).toBe("identity")
        }
        for (const encoding of ["", "identity", "Identity"]) {
          expect([encoding, (yield* sent(path, encoding, json)).status]).toEqual([encoding, 200])
        }
      }
    }))

  it("is none where there is no body, or none is taken", () =>
    Effect.gen(function* () {
      const empty = { method: "POST", headers: { "content-encoding": "gzip" } }
      expect((yield* ask("/v1/probe/secrets", empty)).status).toBe(200)
      expect((yield* ask("/v1/probe/strict", empty)).status).toBe(400)
    }))
})

describe("A charset", () => {
  const sent = (path: string, type: string) =>
    ask(path, { ...post(item, { "content-type": type }, "buyer"), body: JSON.stringify(item) })

  it("is UTF-8, in whatever case and quotes, or 415", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/probe/strict", "/v1/probe/items"]) {
        for (const named of ["", "; charset=utf-8", ";charset=UTF-8", '; Charset="utf-8"', "; v=1; charset=utf8"]) {
          expect([named, (yield* sent(path, `application/json${named}`)).status]).toEqual([named, 200])
        }
        for (const named of [
          "; charset=iso-8859-1",
          ";CHARSET=UTF-16",
          '; charset="latin1"',
          "; charset=",
          ";v=1;charset=x"
        ]) {
          const { json, status } = yield* sent(path, `application/json${named}`)
          expect([named, status, json]).toEqual([
            named,
            415,
            {
              message: "Send the body as UTF-8: leave the charset of Content-Type out, or say utf-8.",
              code: "unsupported_media_type"
            }
          ])
        }
      }
    }))
})

describe("A path of its own", () => {
  it("refuses other methods, and is not 404 of a thing of that name", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
        const { headers, json, status } = yield* ask("/v1/probe/items/import", { method })
        expect([method, status, headers.get("allow")]).toEqual([method, 405, "POST"])
        if (method !== "HEAD") expect(json).toMatchObject({ code: "method_not_allowed" })
      }
      const other = yield* ask("/v1/probe/items/imports")
      expect([other.status, other.json]).toMatchObject([404, { message: "There is no such item." }])
      expect((yield* ask("/v1/probe/items/import", { method: "POST" })).status).toBe(200)
    }))
})

describe("An address", () => {
  const IN_PATH = "path: Expected percent escapes of valid UTF-8, and %25 for a percent sign"
  const IN_QUERY = "query: Expected percent escapes of valid UTF-8"

  const messageOf = (path: string, init?: RequestInit) =>
    Effect.map(ask(path, init), ({ json, status }) => [status, (json as { readonly message: string }).message])

  /** Of characters beyond ASCII, whole ones and parts. */
  const escapedBytes = fc
    .tuple(
      fc.array(fc.constantFrom("ü", "€", "🙂", "\ufffd"), { maxLength: 2 }),
      fc.array(fc.integer({ min: 0x80, max: 0xff }), { maxLength: 2 })
    )
    .map(([characters, bytes]) => Uint8Array.from([...new TextEncoder().encode(characters.join("")), ...bytes]))
    .filter(({ length }) => length > 0)

  it("is 400 where its escapes are no UTF-8, and read where they are", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const check = fc.asyncProperty(escapedBytes, fc.boolean(), async (given, isUpper) => {
        const hex = [...given].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
        const escaped = isUpper ? hex.toUpperCase() : hex
        const inPath = (await askAsync(url, `/v1/probe/items/x${escaped}`)).json as { readonly message: string }
        const inQuery = (await askAsync(url, `/v1/probe/items?status=${escaped}`)).json as { readonly message: string }
        const isText = isUtf8(given)
        expect(inPath.message === IN_PATH).toBe(!isText)
        expect(inQuery.message).toBe(isText ? 'query.status: Expected "open" or "settled"' : IN_QUERY)
      })
      yield* Effect.promise(() => fc.assert(check, property()))
    }))

  it("may have any escapes in a query that nobody reads, or that others add to", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      for (const [path, status] of [
        ["/openapi.json", 200],
        ["/nowhere", 404],
        ["/v1/probe/items", 400]
      ] as const) {
        for (const method of ["GET", "HEAD"]) {
          const answer = yield* send(`${url}${path}?q=M%FCller`, { method })
          expect([path, method, answer.status]).toEqual([path, method, status])
        }
      }
      const { json } = yield* ask("/v1/probe/callback?state=a&error_description=M%FCller")
      expect(json).toEqual({ state: "a" })
    }))

  it("is 400 where a name in it is longer than any, as it reads", () =>
    Effect.gen(function* () {
      const long = "path: Expected at most 200 characters between slashes"
      for (const name of ["x".repeat(201), "%C3%BC".repeat(201)]) {
        for (const path of [`/v1/probe/items/${name}`, `/${name}`, `/v1/${name}/items`]) {
          expect(yield* messageOf(path)).toEqual([400, long])
        }
      }
      for (const name of ["x".repeat(200), "%C3%BC".repeat(200)]) {
        expect(yield* messageOf(`/v1/probe/items/${name}`)).toEqual([404, "There is no such item."])
      }
    }))

  it("is 400 on any path and by any method, and a lone percent sign is one in a query alone", () =>
    Effect.gen(function* () {
      for (const broken of [
        "%ff",
        "a%C3",
        "%E2%82b",
        "%ed%a0%80",
        "%c0%af",
        "%F0%9F%98",
        "%c3%bc%ff",
        "%",
        "100%",
        "%zz"
      ]) {
        for (const path of [`/v1/probe/items/${broken}`, `/nowhere/${broken}`, `/api/arena/${broken}`]) {
          for (const method of ["GET", "POST", "OPTIONS"]) {
            expect([path, method, ...(yield* messageOf(path, { method }))]).toEqual([path, method, 400, IN_PATH])
          }
        }
      }
      expect(yield* messageOf("/v1/probe/items?status=100%")).toEqual([
        400,
        'query.status: Expected "open" or "settled"'
      ])
      for (const name of ["%C3%BC", "%EF%BF%BD", "%f0%9f%99%82", "%25", "%20"]) {
        expect(yield* messageOf(`/v1/probe/items/${name}`)).toEqual([404, "There is no such item."])
      }
    }))
})
