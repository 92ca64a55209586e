import { describe, expect, it } from "bun:test"
import { HttpServerRequest } from "effect/http"
import fc from "fast-check"
import { CarriedRequest, RequestOutline, RequestOutlines } from "../../../src/cluster/CarriedRequest.ts"
import type { Outlined } from "../../../src/cluster/Outlines.ts"
import { bearerOf } from "../../../src/http/Callers.ts"
import { property } from "../../lib/Property.ts"

const BODY = fc.oneof(fc.json(), fc.string({ unit: "grapheme" }), fc.constant("\uFEFF{}"), fc.constant("\uFEFF\uFEFF1"))

const place = { id: 1, path: "/api/arena/commitments", address: "192.0.2.7", port: 1 }

const URL_THERE = `http://node${place.path}`

const carried = (body: string, { outline, values }: Outlined) =>
  new CarriedRequest({ ...place, body, outline: new RequestOutline(outline), values }, undefined)

const NONE: Outlined = { outline: "", values: [] }

const value = fc.stringMatching(/^[!-~\u00a1-\u00ff][ -~\u00a1-\u00ff]{0,30}$/).map((text) => text.trim())
const NAMES = [
  "authorization",
  "cookie",
  "host",
  "x-a",
  "x-request-id",
  "traceparent",
  "idempotency-key",
  "emporion-position"
]
const HIDDEN = [
  "connection",
  "te",
  "content-length",
  "x-emporion-node",
  "x-emporion-peer",
  "x-emporion-forwarded",
  "x-emporion-asking"
]
const signIn = fc
  .tuple(fc.constantFrom("Bearer ", "bearer  ", "Basic ", "Bearer"), value)
  .map((parts) => parts.join(""))
const header = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMES, ...HIDDEN), value),
  fc.tuple(fc.constant("authorization"), signIn)
)
const headers = fc.array(header, { maxLength: 8 })
const added = fc.record({
  key: fc.option(fc.constant("made"), { nil: undefined }),
  position: fc.option(fc.constant("log-1"), { nil: undefined }),
  length: fc.nat()
})
const port = fc.nat(3)

describe("A request that shares a message with others", () => {
  it("reads as one of the same bytes that came by itself", async () => {
    await fc.assert(
      fc.asyncProperty(BODY, async (body) => {
        const plain = new Request(URL_THERE, { method: "POST", body: Buffer.from(body) })
        const one = carried(body, NONE)
        const text = await plain.clone().text()
        expect([await one.text(), one.whole]).toEqual([text, text])
        expect(new Uint8Array(await one.arrayBuffer())).toEqual(new Uint8Array(await plain.arrayBuffer()))
        expect(await new Response(one.body).text()).toBe(text)
        expect([one.method, one.url]).toEqual(["POST", URL_THERE])
      }),
      property()
    )
  })

  it("has its caller's headers, whoever used the connection before, and none with which only nodes speak", () => {
    const asked = fc.array(fc.tuple(headers, added, port), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(asked, (all) => {
        const outlines = new RequestOutlines()
        for (const [given, { key, length, position }, from] of all) {
          const expected = new Headers(given)
          const outlined = outlines.of(new Headers(given), from, { key, length, position })
          for (const name of HIDDEN) expected.delete(name)
          if (key !== undefined) expected.append("idempotency-key", key)
          if (position !== undefined) expected.set("emporion-position", position)
          expected.set("content-length", String(length))
          const request = carried("", outlined)
          // The node that writes gets a key only where the caller sent none.
          fc.pre(key === undefined || !given.some(([name]) => name === "idempotency-key"))
          for (const name of [...NAMES, ...HIDDEN])
            expect([name, request.headers.get(name)]).toEqual([name, expected.get(name)])
          expect(request.bearer).toBe(bearerOf(expected.get("authorization")))
          expect(Object.fromEntries(request.headers)).toEqual(Object.fromEntries(expected))
          expect(Object.entries(HttpServerRequest.fromWeb(request.source).headers).toSorted()).toEqual(
            [...expected].toSorted()
          )
        }
      }),
      property()
    )
  })

  it("says of the next one on its connection only what differs", () => {
    const outlines = new RequestOutlines()
    const of = (id: string, token: string) =>
      outlines.of(new Headers({ authorization: token, "x-request-id": id }), 1, {
        key: undefined,
        position: "a-1",
        length: 9
      })
    const [first, second, other] = [of("one", "a"), of("two", "a"), of("two", "b")]
    expect(second.outline).toBe(first.outline)
    expect([first.values, second.values]).toEqual([
      ["one", "a-1", "9"],
      ["two", "a-1", "9"]
    ])
    expect([other.outline === first.outline, carried("", other).headers.get("authorization")]).toEqual([false, "b"])
  })
})
