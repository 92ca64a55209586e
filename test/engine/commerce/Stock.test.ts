import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { countOf, piecesOf, productAsset, stockOf } from "../../../engine/commerce/Stock.ts"
import { ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

describe("Stock", () => {
  it("counts whole pieces, one unit each", () => {
    expect(piecesOf(3)).toBe((3n * ONE) as typeof ONE)
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (count) => expect(countOf(piecesOf(count))).toBe(count)),
      property()
    )
  })

  it("is the seller's, by product", () => {
    expect(productAsset("prd_1")).toBe("PRODUCT:prd_1")
    expect(stockOf("cmp_1", "prd_1")).toBe("cmp_1/PRODUCT:prd_1/stock")
  })
})
