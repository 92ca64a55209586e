import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  isAcceptable,
  isCovered,
  LEAST_SPREAD,
  MOST_SPREAD,
  rateOf,
  SIDES,
  smallestSale,
  spreadOf,
  unitPrice,
  valueAt
} from "../../../engine/fx/FxDesk.ts"
import { fromUnits as amountOf, MAX, ONE as UNIT } from "../../../engine/money/Amount.ts"
import { parseUnits, shortestDecimal } from "../../../engine/money/Decimal.ts"
import { format, fromUnits, ONE, parse, type Rate, toNumber } from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const rate = (text: string): Rate => Result.getOrThrow(parse(text))
const price = fc.bigInt(1_000_000_000n, 100_000n * ONE).map(fromUnits)
const spread = fc.bigInt(LEAST_SPREAD, MOST_SPREAD).map(fromUnits)
const quantity = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, MAX)).map(amountOf)

describe("FxDesk", () => {
  it("keeps three deviations of a minute, and a thousandth at least", () => {
    expect(spreadOf([rate("0.1"), fromUnits(0n)])).toBe(LEAST_SPREAD)
    // 3 × 0.8 × √(60 ÷ 31,536,000)
    expect(format(spreadOf([rate("0.8"), fromUnits(0n)]) ?? ONE)).toStartWith("0.0033104")
    // Independent deviations add as squares: 0.6² + 0.8² = 1².
    expect(spreadOf([rate("0.6"), rate("0.8")])).toBe(spreadOf([rate("1"), fromUnits(0n)]))
    expect(spreadOf([rate("200")])).toBeUndefined()
  })

  it("sells below and buys above the rate between the two prices", () => {
    expect(format(rateOf("Sell", rate("1.1"), rate("1"), rate("0.001")))).toBe("1.0989")
    expect(format(rateOf("Buy", rate("1.1"), rate("1"), rate("0.001")))).toBe("1.1011")
    expect(format(rateOf("Sell", rate("1"), rate("0.0066"), rate("0.001")))).toBe("151.363636363636")
    expect(format(rateOf("Buy", rate("1"), rate("0.0066"), rate("0.001")))).toBe("151.666666666667")
  })

  it("keeps more where a second is more of the market's", () => {
    // 60 times the time is √60 times the deviation.
    expect(format(spreadOf([rate("0.8"), fromUnits(0n)], 60) ?? ONE)).toStartWith("0.0256424")
  })

  it("has rates that a double carries, rounded against the caller", () => {
    fc.assert(
      fc.property(price, price, spread, (base, quote, kept) => {
        for (const side of SIDES) {
          const made = rateOf(side, base, quote, kept)
          expect(parseUnits(shortestDecimal(toNumber(made)), 12)).toBe(made)
          const exact = base * (side === "Sell" ? ONE - kept : ONE + kept)
          expect(side === "Sell" ? made * quote <= exact : made * quote >= exact).toBe(true)
        }
      }),
      property()
    )
  })

  it("is covered at the price itself, and not a grain beyond", () => {
    fc.assert(
      fc.property(price, price, spread, (base, quote, kept) => {
        for (const side of SIDES) expect(isCovered(side, rateOf(side, base, quote, kept), base, quote)).toBe(true)
        const fair = fromUnits((base * ONE) / quote)
        expect([isCovered("Sell", fair, base, quote), isCovered("Sell", fromUnits(fair + 1n), base, quote)]).toEqual([
          true,
          false
        ])
        expect([
          isCovered("Buy", fromUnits(fair + 1n), base, quote),
          isCovered("Buy", fromUnits(fair - 1n), base, quote)
        ]).toEqual([true, false])
      }),
      property()
    )
  })

  it("counts a price for several units as one for each", () => {
    expect(format(unitPrice(amountOf(660_000n), 100))).toBe("0.0066")
  })

  it("accepts a rate no worse than the caller's", () => {
    expect([isAcceptable("Sell", rate("1.1"), rate("1.1")), isAcceptable("Buy", rate("1.1"), rate("1.1"))]).toEqual([
      true,
      true
    ])
    expect([isAcceptable("Sell", rate("1.0"), rate("1.1")), isAcceptable("Buy", rate("1.2"), rate("1.1"))]).toEqual([
      false,
      false
    ])
  })

  it("gains nobody a unit by going there and back", () => {
    fc.assert(
      fc.property(price, price, spread, quantity, (base, quote, kept, held) => {
        const there = valueAt("Sell", held, rateOf("Sell", base, quote, kept))
        const back = valueAt("Sell", there, rateOf("Sell", quote, base, kept))
        expect(back <= held).toBe(true)
        const cost = valueAt("Buy", held, rateOf("Buy", base, quote, kept))
        expect(valueAt("Sell", held, rateOf("Sell", base, quote, kept)) <= cost).toBe(true)
      }),
      property()
    )
  })

  it("gains nobody a unit by splitting an exchange", () => {
    fc.assert(
      fc.property(
        price,
        price,
        spread,
        fc.array(quantity, { minLength: 1, maxLength: 6 }),
        (base, quote, kept, parts) => {
          const whole = amountOf(parts.reduce((sum, part) => sum + part, 0n))
          const sold = rateOf("Sell", base, quote, kept)
          const bought = rateOf("Buy", base, quote, kept)
          expect(
            parts.reduce((sum, part) => sum + valueAt("Sell", part, sold), 0n) <= valueAt("Sell", whole, sold)
          ).toBe(true)
          expect(
            parts.reduce((sum, part) => sum + valueAt("Buy", part, bought), 0n) >= valueAt("Buy", whole, bought)
          ).toBe(true)
        }
      ),
      property()
    )
  })

  it("pays something for the smallest sale, and nothing for less", () => {
    fc.assert(
      fc.property(price, price, spread, (base, quote, kept) => {
        const sold = rateOf("Sell", base, quote, kept)
        const least = smallestSale(sold)
        if (sold === 0n) return expect(least).toBe(amountOf(0n))
        expect(valueAt("Sell", least, sold) >= 1n).toBe(true)
        expect(valueAt("Sell", amountOf(least - 1n), sold)).toBe(amountOf(0n))
      }),
      property()
    )
    expect(smallestSale(rate("0.5"))).toBe(amountOf(2n))
    expect(smallestSale(fromUnits(ONE))).toBe(amountOf(UNIT / UNIT))
  })
})
