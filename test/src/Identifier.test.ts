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

  it("sorts ordered ids by their time, then by their place, whatever their random letters are", () => {
    const one = fc.record({
      at: fc.integer({ min: 0, max: 2 ** 45 - 1 }),
      place: fc.integer({ min: 0, max: 32_767 }),
      bytes: fc.uint8Array({ minLength: Identifier.ORDERED_BYTES, maxLength: Identifier.ORDERED_BYTES })
    })
    const together = fc.tuple(one, one).map(([first, second]) => [first, { ...second, at: first.at }] as const)
    fc.assert(
      fc.property(fc.oneof(fc.tuple(one, one), together), (pair) => {
        const [first, second] = pair.map(({ at, bytes, place }) => Identifier.ordered("whd", at)(place, bytes))
        for (const id of [first, second]) expect(id).toMatch(/^whd_[0-9a-hjkmnp-tv-z]{24}$/)
        const apart = pair[0].at - pair[1].at || pair[0].place - pair[1].place
        if (apart !== 0) expect(`${first}` < `${second}`).toBe(apart < 0)
      }),
      property()
    )
  })
})
