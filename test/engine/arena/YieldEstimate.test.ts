import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { collateralOfValue } from "../../../engine/arena/Collateral.ts"
import { estimateYield, InvalidDuration } from "../../../engine/arena/YieldEstimate.ts"
import { accrual, begin } from "../../../engine/arena/YieldIndex.ts"
import { shareYield } from "../../../engine/arena/YieldShares.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const EIGHT_PERCENT = Rate.fromUnits(80_000_000_000n)

const values = fc.bigInt(0n, MAX).map(fromUnits)
const yields = fc.bigInt(0n, Rate.ONE).map(Rate.fromUnits)
const days = fc.integer({ min: 1, max: 3650 })

describe("YieldEstimate", () => {
  it("gives 2.417678 USD on 381 USD for 10,000 USD at 8 % and 30 days", () => {
    expect(estimateYield(fromUnits(10_000n * ONE), EIGHT_PERCENT, 30)).toEqual(
      Result.succeed({
        collateral: fromUnits(381n * ONE),
        yield: fromUnits(2_417_678n),
        breakdown: {
          trader: fromUnits(1_692_374n),
          insurance: fromUnits(241_770n),
          platform: fromUnits(362_651n),
          tokenHolders: fromUnits(120_883n)
        }
      })
    )
  })

  it("takes 1 to 3650 whole days", () => {
    const value = fromUnits(10_000n * ONE)
    const expected = Result.fail(new InvalidDuration({ expected: "an integer from 1 to 3650" }))
    for (const bad of [0, -1, 3651, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(estimateYield(value, EIGHT_PERCENT, bad)).toEqual(expected)
    }
    expect(Result.getOrThrow(estimateYield(value, EIGHT_PERCENT, 1)).yield).toBe(fromUnits(80_343n))
    expect(Result.getOrThrow(estimateYield(value, Rate.fromUnits(59_000_000_000n), 3650)).yield).toBe(
      fromUnits(294_903_315n)
    )
  })

  it("earns the yield itself in a year, and nothing at 0 %", () => {
    fc.assert(
      fc.property(values, yields, (value, apy) => {
        const { collateral, yield: total } = Result.getOrThrow(estimateYield(value, apy, 365))
        expect(total).toBe(Rate.convert(collateral, apy, "floor"))
        expect<bigint>(Result.getOrThrow(estimateYield(value, Rate.ZERO, 365)).yield).toBe(0n)
      }),
      property()
    )
  })

  it("is what the vault then pays, but for the rounding of its index", () => {
    fc.assert(
      fc.property(values, yields, days, (value, apy, duration) => {
        const estimate = Result.getOrThrow(estimateYield(value, apy, duration))
        expect(estimate.collateral).toBe(collateralOfValue(value))
        const paid = accrual(begin(0, apy))(estimate.collateral, 0, duration * 86_400_000)
        expect(estimate.yield - paid === 0n || estimate.yield - paid === 1n).toBe(true)
      }),
      property()
    )
  })

  it("rises with the value, the yield and the days, and is divided without a rest", () => {
    fc.assert(
      fc.property(values, yields, days, (value, apy, duration) => {
        const estimate = (v: bigint, r: bigint, d: number) =>
          Result.getOrThrow(estimateYield(fromUnits(v), Rate.fromUnits(r), d)).yield
        const base = estimate(value, apy, duration)
        expect(estimate(value + ONE, apy, duration) >= base).toBe(true)
        expect(estimate(value, apy + 1_000_000n, duration) >= base).toBe(true)
        expect(estimate(value, apy, Math.min(3650, duration + 1)) >= base).toBe(true)
        expect(Result.getOrThrow(estimateYield(value, apy, duration)).breakdown).toEqual(shareYield(base))
      }),
      property()
    )
  })
})
