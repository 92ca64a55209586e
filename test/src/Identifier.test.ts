import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import * as Identifier from "../../src/Identifier.ts"
import { property } from "../lib/Property.ts"

describe("Identifier", () => {
  it("is the prefix and 24 letters that no one confuses", () => {
    const bytes = fc.uint8Array({ minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(bytes, (source) => {
        expect(Identifier.fromBytes("usr", source)).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{24}$/)
      }),
      property()
    )
  })

  it("uses every bit it says it uses", () => {
    const zeros = new Uint8Array(24)
    expect(Identifier.fromBytes("cmp", zeros)).toBe(`cmp_${"0".repeat(24)}`)
    expect(Identifier.fromBytes("cmp", zeros.with(23, 31))).toBe(`cmp_${"0".repeat(23)}z`)
  })
})
