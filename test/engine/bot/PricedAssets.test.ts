import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Median } from "../../../engine/arena/Median.ts"
import { FEWEST_PRICES } from "../../../engine/bot/FairPrice.ts"
import { PricedAssets } from "../../../engine/bot/PricedAssets.ts"
import { ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const FRESH = 10

const median = (at: number, safe = true, asset = "XAU"): Median => ({ asset, at, price: ONE, safe })

const told = (medians: ReadonlyArray<Median>): ReadonlyArray<number> => {
  const priced = new PricedAssets(FRESH)
  return medians.filter((each) => priced.add(each)).map(({ at }) => at)
}

describe("an asset has a fair price", () => {
  it("from the fifth safe median on, each asset by itself", () => {
    expect(told([1, 2, 3, 4].map((at) => median(at)))).toEqual([])
    expect(told([1, 2, 3, 4, 5, 6, 7].map((at) => median(at)))).toEqual([5])
    expect(told([1, 2, 3, 4, 5, 6].map((at) => median(at, at !== 3)))).toEqual([6])
    expect(told([1, 2, 3, 4, 5, 6].map((at) => median(at, true, at % 2 === 0 ? "XAU" : "XAG")))).toEqual([])
  })

  it("again when there was none fresh for a while", () => {
    expect(told([1, 2, 3, 4, 5, 15, 26].map((at) => median(at)))).toEqual([5, 26])
  })

  it("as whoever keeps all medians would tell", () => {
    const medians = fc.array(fc.record({ step: fc.integer({ min: 0, max: 15 }), safe: fc.boolean() }), {
      maxLength: 40
    })
    const asNaive = fc.property(medians, (steps) => {
      let at = 1
      const all = steps.map(({ safe, step }) => median((at += step), safe))
      const has = (kept: ReadonlyArray<Median>, now: number) =>
        kept.length >= FEWEST_PRICES && (kept.at(-1)?.at ?? 0) >= now - FRESH
      const expected: Array<number> = []
      const kept: Array<Median> = []
      for (const each of all) {
        if (!each.safe || kept.some((other) => other.at >= each.at)) continue
        const before = has(kept, each.at)
        kept.push(each)
        if (!before && has(kept, each.at)) expected.push(each.at)
      }
      expect(told(all)).toEqual(expected)
    })
    fc.assert(asNaive, property())
  })
})
