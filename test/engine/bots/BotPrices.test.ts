import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Median } from "../../../engine/arena/Median.ts"
import { BotPrices } from "../../../engine/bots/BotPrices.ts"
import { FAIR_WINDOW, FEWEST_PRICES } from "../../../engine/bots/FairPrice.ts"
import { ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

/** A fifth of what a median holds, in milliseconds. */
const STEP = 60_000

const median = (step: number, safe = true, asset = "XAU"): Median => ({ asset, at: step * STEP, price: ONE, safe })

/** At which steps an asset has a fair price that it had not just before. */
const told = (medians: ReadonlyArray<Median>): ReadonlyArray<number> => {
  const prices = new BotPrices()
  return medians.filter((each) => prices.add(each)).map(({ at }) => at / STEP)
}

const kept = (prices: BotPrices, step: number, asset = "XAU"): ReadonlyArray<number> =>
  prices.of(asset, step * STEP).map(({ at }) => at / STEP)

const pricesOf = (...medians: ReadonlyArray<Median>): BotPrices => {
  const prices = new BotPrices()
  for (const each of medians) prices.add(each)
  return prices
}

describe("BotPrices", () => {
  it("are the safe ones of an asset, oldest first, and none comes before another", () => {
    const prices = pricesOf(median(1), median(2, false), median(3), median(2), median(3), median(4, true, "XAG"))
    expect(kept(prices, 4)).toEqual([1, 3])
    expect(kept(prices, 4, "XAG")).toEqual([4])
    expect(kept(prices, 4, "EUR/USD")).toEqual([])
  })

  it("hold five minutes, and are there where the clock was set back", () => {
    const prices = pricesOf(median(3))
    expect(prices.of("XAU", 8 * STEP).length).toBe(1)
    expect(prices.of("XAU", 8 * STEP + 1)).toEqual([])
    expect(kept(prices, 1)).toEqual([3])
  })

  it("are as many as a fair price is made of, the newest, however far apart they are", () => {
    const prices = pricesOf(...Array.from({ length: FAIR_WINDOW + 2 }, (_, index) => median(10 * index)))
    const steps = kept(prices, 10 * FAIR_WINDOW + 10)
    expect([steps.length, steps[0]]).toEqual([FAIR_WINDOW, 20])
  })
})

describe("an asset has a fair price", () => {
  it("from the fifth safe median on, each asset by itself", () => {
    expect(told([1, 2, 3, 4].map((at) => median(at)))).toEqual([])
    expect(told([1, 2, 3, 4, 5, 6, 7].map((at) => median(at)))).toEqual([5])
    expect(told([1, 2, 3, 4, 5, 6].map((at) => median(at, at !== 3)))).toEqual([6])
    expect(told([1, 2, 3, 4, 5, 6].map((at) => median(at, true, at % 2 === 0 ? "XAU" : "XAG")))).toEqual([])
  })

  it("again when there was none fresh for a while", () => {
    expect(told([1, 2, 3, 4, 5, 10, 16].map((at) => median(at)))).toEqual([5, 16])
  })

  it("as whoever keeps all medians would tell", () => {
    const medians = fc.array(fc.record({ step: fc.integer({ min: 0, max: 8 }), safe: fc.boolean() }), {
      maxLength: 40
    })
    const asNaive = fc.property(medians, (steps) => {
      let at = 1
      const all = steps.map(({ safe, step }) => median((at += step), safe))
      const has = (kept: ReadonlyArray<Median>, now: number) =>
        kept.length >= FEWEST_PRICES && (kept.at(-1)?.at ?? 0) >= now - 5 * STEP
      const expected: Array<number> = []
      const kept: Array<Median> = []
      for (const each of all) {
        if (!each.safe || kept.some((other) => other.at >= each.at)) continue
        const before = has(kept, each.at)
        kept.push(each)
        if (!before && has(kept, each.at)) expected.push(each.at / STEP)
      }
      expect(told(all)).toEqual(expected)
    })
    fc.assert(asNaive, property())
  })
})
