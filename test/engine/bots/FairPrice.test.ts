import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { FAIR_WINDOW, fairPrice, FEWEST_PRICES } from "../../../engine/bots/FairPrice.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const price = fc.bigInt({ min: 1n, max: 10n ** 15n }).map(fromUnits)
const level = fc.bigInt({ min: 0n, max: ONE }).map(fromUnits)
const enough = fc.array(price, { minLength: FEWEST_PRICES, maxLength: 100, size: "max" })

const least = (values: ReadonlyArray<bigint>) => values.reduce((a, b) => (b < a ? b : a))
const most = (values: ReadonlyArray<bigint>) => values.reduce((a, b) => (b > a ? b : a))

describe("the fair price", () => {
  it("lies between the newest price and the window's extremes", () => {
    fc.assert(
      fc.property(enough, level, (prices, part) => {
        const fair = fairPrice(prices, part) ?? 0n
        const window = prices.slice(-FAIR_WINDOW)
        expect(fair >= least(window) && fair <= most(window)).toBe(true)
      }),
      property()
    )
  })

  it("is the newest price at level 0 and the mean at level 1", () => {
    const prices = [1n, 2n, 3n, 4n, 10n].map(fromUnits)
    expect(fairPrice(prices, fromUnits(0n))).toBe(fromUnits(10n))
    expect(fairPrice(prices, ONE)).toBe(fromUnits(4n))
    expect(fairPrice(prices, fromUnits(500_000n))).toBe(fromUnits(7n))
  })

  it("forgets what lies before its window", () => {
    fc.assert(
      fc.property(fc.array(price, { maxLength: 20 }), enough, level, (older, prices, part) => {
        const window = [...prices, ...Array.from({ length: FAIR_WINDOW }, () => prices[0] ?? ONE)]
        expect(fairPrice([...older, ...window], part)).toBe(fairPrice(window, part))
      }),
      property()
    )
  })

  it("is unknown from too few prices", () => {
    expect(fairPrice([], ONE)).toBeUndefined()
    expect(
      fairPrice(
        Array.from({ length: FEWEST_PRICES - 1 }, () => ONE),
        ONE
      )
    ).toBeUndefined()
  })
})
