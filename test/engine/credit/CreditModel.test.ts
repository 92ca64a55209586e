import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { stepOf } from "../../../engine/credit/CreditModel.ts"
import { property } from "../../lib/Property.ts"

describe("stepOf", () => {
  it("counts the cuts that are reached", () => {
    const anyCuts = fc.uniqueArray(fc.integer({ min: -50, max: 50 })).map((cuts) => cuts.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(anyCuts, fc.integer({ min: -60, max: 60 }), (cuts, value) => {
        expect(stepOf(cuts, (cut) => value >= cut)).toBe(cuts.filter((cut) => value >= cut).length)
      }),
      property()
    )
  })
})
