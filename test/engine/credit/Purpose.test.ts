import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { purposeOf, PURPOSES } from "../../../engine/credit/Purpose.ts"
import { property } from "../../lib/Property.ts"

describe("purposeOf", () => {
  it.each([
    ["debt_consolidation", "debt_consolidation"],
    ["Debt Consolidation", "debt_consolidation"],
    ["DEBTCONSOLIDATION", "debt_consolidation"],
    [" home-improvement ", "home_improvement"],
    ["Venture", "venture"],
    ["working capital", "venture"],
    ["Inventory", "venture"]
  ] as const)("reads %p as %s", (text, purpose) => {
    expect(purposeOf(text)).toBe(purpose)
  })

  it("knows no other", () => {
    for (const text of ["", "yacht", "medical bills", "__proto__", "constructor"]) expect(purposeOf(text)).toBeNull()
  })

  it("answers any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const purpose = purposeOf(text)
        return purpose === null || PURPOSES.includes(purpose)
      }),
      property()
    )
  })
})
