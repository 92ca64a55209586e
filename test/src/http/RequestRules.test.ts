import { describe, expect, it } from "bun:test"
import { isUtf8 } from "node:buffer"
import fc from "fast-check"
import { genuine } from "../../../src/http/RequestRules.ts"
import { property } from "../../lib/Property.ts"

const sent = (bytes: Uint8Array): Request =>
  new Request("http://localhost/v1/orders", { method: "POST", headers: { "content-length": String(bytes.length) } })

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

/** Bytes of texts, with some that are none between them; a whole character of four bytes is never cut behind its third. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }).map((text) => [...new TextEncoder().encode(text.toWellFormed())]),
      fc.constantFrom([0xef, 0xbf, 0xbd], [0xfc], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f])
    ),
    { maxLength: 8 }
  )
  .map((parts) => Uint8Array.from(parts.flat()))

describe("A body as it counts", () => {
  it("is its text, and no JSON where it was no UTF-8", () => {
    fc.assert(
      fc.property(bytes, (body) => {
        expect(genuine(decoded(body), sent(body))).toBe(isUtf8(body) ? decoded(body) : "[")
      }),
      property()
    )
  })

  it("is its text where nothing says how long it was", () => {
    expect(genuine("\ufffd", new Request("http://localhost/v1/orders", { method: "POST" }))).toBe("\ufffd")
  })
})
