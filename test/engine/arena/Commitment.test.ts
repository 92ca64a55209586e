import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { allowanceHold, collateralHold, limitPrice } from "../../../engine/arena/Commitment.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { anyPrice, usd } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

const tolerance = fc.bigInt({ min: 0n, max: 50_000n }).map(fromUnits)

describe("limitPrice", () => {
  it.each([
    ["102", "0", "102"],
    ["100", "0.05", "105"],
    ["100", "0.01", "101"],
    ["0.000001", "0.05", "0.000001"],
    ["0.000019", "0.05", "0.000019"],
    ["0.00002", "0.05", "0.000021"],
    ["33.333333", "0.033333", "34.444432"]
  ])("of %s at tolerance %s is %s", (proposed, slippage, limit) => {
    expect(limitPrice(usd(proposed), usd(slippage))).toBe(usd(limit))
  })

  it("is the largest price that the tolerance allows", () => {
    fc.assert(
      fc.property(anyPrice, tolerance, (proposed, slippage) => {
        const limit = limitPrice(proposed, slippage)
        const allowed = proposed * (ONE + slippage)
        expect(limit * ONE <= allowed && allowed < (limit + 1n) * ONE).toBe(true)
        expect(limit >= proposed).toBe(true)
      }),
      property()
    )
  })

  it("never falls as the bid or its tolerance rises", () => {
    fc.assert(
      fc.property(anyPrice, tolerance, (proposed, slippage) => {
        expect(limitPrice(fromUnits(proposed + 1n), slippage) >= limitPrice(proposed, slippage)).toBe(true)
        expect(limitPrice(proposed, fromUnits(slippage + 1n)) >= limitPrice(proposed, slippage)).toBe(true)
        expect(limitPrice(proposed, ZERO)).toBe(proposed)
      }),
      property()
    )
  })
})

describe("the holds of a commitment", () => {
  it("are named after it, each of its own kind", () => {
    expect(collateralHold("com_1_2")).toBe("collateral/com_1_2")
    expect(allowanceHold("com_1_2")).toBe("allowance/com_1_2")
  })
})
