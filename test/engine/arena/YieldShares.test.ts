import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { shareYield } from "../../../engine/arena/YieldShares.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const shares = (total: bigint): ReadonlyArray<bigint> => {
  const { trader, insurance, platform, tokenHolders } = shareYield(fromUnits(total))
  return [trader, insurance, platform, tokenHolders]
}

describe("YieldShares", () => {
  it("divides 70, 10, 15 and 5 percent", () => {
    expect(shares(100n * ONE)).toEqual([70n * ONE, 10n * ONE, 15n * ONE, 5n * ONE])
  })

  it("rounds each down and gives the rest to insurance", () => {
    expect(shares(0n)).toEqual([0n, 0n, 0n, 0n])
    expect(shares(1n)).toEqual([0n, 1n, 0n, 0n])
    expect(shares(19n)).toEqual([13n, 4n, 2n, 0n])
    expect(shares(20n)).toEqual([14n, 2n, 3n, 1n])
    expect(shares(2_417_678n)).toEqual([1_692_374n, 241_770n, 362_651n, 120_883n])
  })

  it("sums to the whole, each part within its percentage", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(0n, 200n), fc.bigInt(0n, MAX)), (total) => {
        const [trader = 0n, insurance = 0n, platform = 0n, tokenHolders = 0n] = shares(total)
        expect(trader + insurance + platform + tokenHolders).toBe(total)
        expect([trader, platform, tokenHolders]).toEqual([(total * 70n) / 100n, (total * 15n) / 100n, total / 20n])
        const rest = insurance - (total * 10n) / 100n
        expect(rest >= 0n && rest < 4n).toBe(true)
      }),
      property()
    )
  })
})
