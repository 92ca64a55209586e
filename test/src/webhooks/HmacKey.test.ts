import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { createHmac } from "node:crypto"
import { HmacKey } from "../../../src/webhooks/HmacKey.ts"
import { property } from "../../lib/Property.ts"

const key = fc.uint8Array({ minLength: 0, maxLength: 200 })
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 2_000 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.integer({ min: 5_400, max: 20_000 }).map((length) => "ä€x".repeat(length / 3))
)

describe("HmacKey", () => {
  it("signs any texts under any key as the runtime's own HMAC does", () => {
    fc.assert(
      fc.property(key, fc.array(text, { minLength: 1, maxLength: 5 }), (bytes, texts) => {
        const made = new HmacKey(bytes)
        for (const encoding of ["hex", "base64"] as const) {
          const expected = texts.map((one) => createHmac("sha256", bytes).update(one).digest(encoding))
          expect(texts.map((one) => made.sign(one, encoding))).toEqual(expected)
        }
      }),
      property()
    )
  })

  it("signs under several keys in turns", () => {
    const [one, other] = [new HmacKey(Buffer.from("one")), new HmacKey(Buffer.from("other"))]
    const before = one.sign("a longer text", "hex")
    expect(other.sign("short", "hex")).toBe(createHmac("sha256", "other").update("short").digest("hex"))
    expect(one.sign("a longer text", "hex")).toBe(before)
  })

  it("is not changed by what its key's bytes become", () => {
    const bytes = Buffer.from("a key")
    const made = new HmacKey(bytes)
    bytes.fill(0)
    const long = "x".repeat(20_000)
    expect(made.sign("text", "base64")).toBe(createHmac("sha256", "a key").update("text").digest("base64"))
    expect(made.sign(long, "base64")).toBe(createHmac("sha256", "a key").update(long).digest("base64"))
  })
})
