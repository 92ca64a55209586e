import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { type HttpServerError, UrlParams } from "effect/http"
import fc from "fast-check"
import { isUtf8 } from "node:buffer"
import { Exchange } from "../../../src/http/Exchange.ts"
import { RequestFacts } from "../../../src/RequestState.ts"
import { property } from "../../lib/Property.ts"

/** Bytes of texts, with some that are none between them or at their end, such as a part of a character. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }).map((text) => [...new TextEncoder().encode(text.toWellFormed())]),
      fc.constantFrom([0xef, 0xbf, 0xbd], [0xfc], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf]),
      fc.constantFrom([0xf0, 0x9f, 0x99], [0xf0, 0x9f], [0xf0, 0x9f, 0x99, 0x82])
    ),
    { maxLength: 8 }
  )
  .map((parts) => Uint8Array.from(parts.flat()))

const exchangeOf = (body: Uint8Array<ArrayBuffer>): Exchange =>
  new Exchange(
    new Request("http://localhost/v1/orders", { method: "POST", body }),
    new RequestFacts("127.0.0.1"),
    0,
    0n
  )

const REFUSAL = { cause: { code: "invalid_request", message: "payload: Expected a body that is valid UTF-8" } }

/** Why somebody who reads a body is refused it. */
const refusalOf = <A>(read: Effect.Effect<A, HttpServerError.HttpServerError>): Promise<unknown> =>
  Effect.runPromise(Effect.map(Effect.flip(read), ({ reason }) => reason))

describe("A body", () => {
  it("is its text for the one who read it before the router, and refused by the router where it is no UTF-8", async () => {
    const check = fc.asyncProperty(bytes, async (body) => {
      const exchange = exchangeOf(body)
      await exchange.read()
      const text = isUtf8(body) ? new TextDecoder().decode(body) : undefined
      expect([exchange.text, exchange.sent]).toEqual([text, text])
      if (text === undefined) expect(await refusalOf(exchange.server.text)).toMatchObject(REFUSAL)
      else expect(await Effect.runPromise(exchange.server.text)).toBe(text)
    })
    await fc.assert(check, property())
  })

  it("is noted as the router reads it, and refused where it is no UTF-8, as text and as a form", async () => {
    const check = fc.asyncProperty(bytes, async (body) => {
      const [one, other] = [exchangeOf(body), exchangeOf(body)]
      one.noteBody()
      other.noteBody()
      if (isUtf8(body)) {
        const text = new TextDecoder().decode(body)
        expect([await Effect.runPromise(one.server.text), one.sent]).toEqual([text, text])
        const form = await Effect.runPromise(other.server.urlParamsBody)
        expect(UrlParams.toString(form)).toBe(String(new URLSearchParams(`&${text}`)))
      } else {
        expect(await refusalOf(one.server.text)).toMatchObject(REFUSAL)
        expect(await refusalOf(other.server.urlParamsBody)).toMatchObject(REFUSAL)
        expect(one.sent).toBeUndefined()
      }
    })
    await fc.assert(check, property())
  })
})
