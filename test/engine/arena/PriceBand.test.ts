import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  type Band,
  BAND_PERCENT,
  isSafe,
  type PricedType,
  priceProblem,
  type RecordedPrice,
  WINDOW_MILLIS
} from "../../../engine/arena/PriceBand.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const NOW = 1_790_000_000_000

const recorded = (at: number, price: bigint): RecordedPrice => ({ at, price: fromUnits(price) })

const band = (type: PricedType, ...medians: ReadonlyArray<RecordedPrice>): Band => ({
  type,
  recorded: medians,
  freshFor: 10_000
})

const types = fc.constantFrom<PricedType>("commodity", "fx", "gpu")

describe("PriceBand", () => {
  it("holds prices within 5 % for fx and 10 % for the others, the limit included", () => {
    const limits = [
      ["fx", 95n, 105n],
      ["commodity", 90n, 110n],
      ["gpu", 90n, 110n]
    ] as const
    for (const [type, low, high] of limits) {
      const around = band(type, recorded(NOW - 1, 100n * ONE))
      const problem = (price: bigint) => priceProblem(recorded(NOW, price), around, NOW)
      expect(problem(low * ONE)).toBeUndefined()
      expect(problem(low * ONE - 1n)).toBe("price_outside_band")
      expect(problem(high * ONE)).toBeUndefined()
      expect(problem(high * ONE + 1n)).toBe("price_outside_band")
    }
  })

  it("judges against the mean, to the last fraction", () => {
    // The mean is 100/3: 10 % above is 36.66…, 10 % below 30.
    const around = band("gpu", recorded(NOW - 3, 33n), recorded(NOW - 2, 33n), recorded(NOW - 1, 34n))
    const safe = [29n, 30n, 36n, 37n].map((price) => isSafe(recorded(NOW, price), around, NOW))
    expect(safe).toEqual([false, true, true, false])
  })

  it("reaches back 5 minutes from the price, the limit included, and leaves out its own time", () => {
    const at = NOW - 5_000
    const newest = recorded(at, 200n)
    expect(WINDOW_MILLIS).toBe(300_000)
    expect(priceProblem(newest, band("fx", recorded(at - 300_000, 100n)), NOW)).toBe("price_outside_band")
    expect(priceProblem(newest, band("fx", recorded(at - 300_001, 100n)), NOW)).toBeUndefined()
    expect(priceProblem(newest, band("fx", recorded(at - 1, 100n)), NOW)).toBe("price_outside_band")
    expect(priceProblem(newest, band("fx", recorded(at, 100n)), NOW)).toBeUndefined()
    expect(priceProblem(newest, band("fx", recorded(at + 1, 100n)), NOW)).toBeUndefined()
  })

  it("takes a first price", () => {
    expect(priceProblem(recorded(NOW, 1n), band("fx"), NOW)).toBeUndefined()
  })

  it("is stale once older than the band allows", () => {
    expect(priceProblem(recorded(NOW - 10_000, 1n), band("fx"), NOW)).toBeUndefined()
    expect(priceProblem(recorded(NOW - 10_001, 1n), band("fx"), NOW)).toBe("stale_price")
    expect(isSafe(recorded(NOW - 10_000, 1n), band("fx"), NOW)).toBe(true)
    expect(isSafe(recorded(NOW - 10_001, 1n), band("fx"), NOW)).toBe(false)
  })

  it("misses a price that is not there or not positive, before all else", () => {
    expect(priceProblem(undefined, band("fx"), NOW)).toBe("missing_price")
    expect(priceProblem(recorded(0, 0n), band("fx"), NOW)).toBe("missing_price")
    expect(priceProblem(recorded(NOW, -1n), band("fx"), NOW)).toBe("missing_price")
  })

  it("says stale before outside", () => {
    const old = recorded(NOW - 20_000, 200n)
    expect(priceProblem(old, band("fx", recorded(NOW - 20_001, 100n)), NOW)).toBe("stale_price")
  })

  it("agrees with the mean computed apart, in any order of the medians", () => {
    const medians = fc.array(fc.tuple(fc.integer({ min: -10, max: 400_000 }), fc.bigInt(90n, 110n)), { maxLength: 8 })
    fc.assert(
      fc.property(types, fc.bigInt(80n, 125n), medians, (type, price, history) => {
        const list = history.map(([ago, median]) => recorded(NOW - ago, median))
        const inWindow = history.filter(([ago]) => ago > 0 && ago <= 300_000).map(([, median]) => Number(median))
        const mean = inWindow.reduce((sum, median) => sum + median, 0) / inWindow.length
        const percent = Number(BAND_PERCENT[type])
        const inside = inWindow.length === 0 || Math.abs(Number(price) - mean) <= (percent * mean) / 100 + 1e-9
        expect(isSafe(recorded(NOW, price), band(type, ...list), NOW)).toBe(inside)
        expect(isSafe(recorded(NOW, price), band(type, ...list.toReversed()), NOW)).toBe(inside)
      }),
      property()
    )
  })
})
