import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  amountFromFine,
  atLeastSmallest,
  divideNearest,
  FINE_ONE,
  type FinePrice,
  fineFromAmount,
  UnpricedRate,
  priceFromRate
} from "../../../engine/arena/FinePrice.ts"
import { fromUnits, MAX } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const price = (rate: string, per = 1): bigint => Result.getOrThrow(priceFromRate(rate, per))

describe("FinePrice", () => {
  it("prices a rate exactly", () => {
    expect(price("0.5")).toBe(2n * FINE_ONE)
    expect(price("3")).toBe(333_333_333_333n)
    expect(price("160", 100)).toBe(625_000_000_000n)
    expect(price("1.2017405e-05")).toBe(83_212_640_332_917_131n)
    expect(price("1.2017405E-5")).toBe(price("0.000012017405"))
    expect(price("2e+2")).toBe(5_000_000_000n)
  })

  it("refuses what is no positive decimal or prices beyond an amount", () => {
    for (const rate of [
      "",
      "0",
      "0.0",
      "-1",
      "NaN",
      "Infinity",
      "1,5",
      "0x10",
      " 1",
      "1e400",
      "1e-60",
      "1e12",
      "1e-11"
    ]) {
      expect(priceFromRate(rate, 1)).toEqual(Result.fail(new UnpricedRate({ rate })))
    }
  })

  it("takes the shortest decimal of every double in range, within half a unit of per ÷ rate", () => {
    fc.assert(
      fc.property(fc.double({ min: 1.3e-8, max: 1e5, noNaN: true }), fc.constantFrom(1, 100), (rate, per) => {
        const priced = price(String(rate), per)
        const [digits = "", exponent = "0"] = rate.toExponential().split("e")
        const scale = BigInt(20 + Number(exponent) - (digits.split(".")[1] ?? "").length)
        const scaled = scale < 0n ? null : BigInt(digits.replace(".", "")) * 10n ** scale
        if (scaled === null) return
        const error = priced * scaled - FINE_ONE * BigInt(per) * 10n ** 20n
        expect(2n * (error < 0n ? -error : error) <= scaled).toBe(true)
      }),
      property()
    )
  })

  it("divides to the nearest, halves up", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (n, d) => {
          const error = 2n * (divideNearest(n, d) * d - n)
          expect(error > -d && error <= d).toBe(true)
        }
      ),
      property()
    )
    expect([-3n, -1n, 1n, 3n].map((half) => divideNearest(half, 2n))).toEqual([-1n, 0n, 1n, 2n])
  })

  it("goes from amounts and back without loss", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX }), (units) => {
        expect(amountFromFine(fineFromAmount(fromUnits(units)))).toBe(fromUnits(units))
      }),
      property()
    )
    expect(amountFromFine(1_499_999n as FinePrice)).toBe(fromUnits(1n))
    expect(amountFromFine(1_500_000n as FinePrice)).toBe(fromUnits(2n))
  })

  it("never goes below 10⁻⁶ USD", () => {
    expect(atLeastSmallest(-5n)).toBe(1_000_000n as FinePrice)
    expect(atLeastSmallest(1_000_001n)).toBe(1_000_001n as FinePrice)
  })
})
