import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ResponseText, MAX_ANSWER } from "../../../src/webhooks/ResponseText.ts"
import { property } from "../../lib/Property.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("ResponseText", () => {
  it("is the text however it comes in pieces", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.integer({ min: 0, max: 64 })), (text, cuts) => {
        const all = bytes(text)
        const answer = new ResponseText()
        let from = 0
        for (const size of cuts) {
          answer.take(all.subarray(from, from + size))
          from += size
        }
        answer.take(all.subarray(from))
        expect(answer.text()).toBe(new TextDecoder().decode(all).replaceAll("\u0000", "\uFFFD"))
      }),
      property()
    )
  })

  it("ends at its limit, before a character that is cut", () => {
    const answer = new ResponseText()
    expect(answer.take(bytes("x".repeat(MAX_ANSWER - 1)))).toBe(true)
    expect(answer.take(bytes("é"))).toBe(false)
    expect(answer.take(bytes("more"))).toBe(false)
    expect(answer.text()).toBe("x".repeat(MAX_ANSWER - 1))
  })

  it("replaces bytes that are no text", () => {
    const answer = new ResponseText()
    answer.take(new Uint8Array([97, 255, 0, 98, 0xc3]))
    expect(answer.text()).toBe("a\uFFFD\uFFFDb\uFFFD")
  })
})
