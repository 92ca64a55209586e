import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import * as Amount from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const DECIMAL = "a non-negative decimal number with at most 12 decimals"
const RANGE = "at most 8000000"

const rates = fc.bigInt(0n, Rate.MAX).map(Rate.fromUnits)
const amounts = fc.bigInt(-Amount.MAX, Amount.MAX).map(Amount.fromUnits)

const expected = (result: Result.Result<Rate.Rate, Rate.InvalidRate>): string =>
  Result.isFailure(result) ? result.failure.expected : `taken as ${result.success}`

describe("Rate", () => {
  it("counts in 10⁻¹², up to 8·10⁶, which fits 64 bits", () => {
    expect<bigint>(Rate.ONE).toBe(10n ** BigInt(Rate.DECIMALS))
    expect<bigint>(Rate.ZERO).toBe(0n)
    expect<bigint>(Rate.MAX).toBe(8_000_000_000_000_000_000n)
    expect(Rate.MAX < 2n ** 63n).toBe(true)
  })

  it("parses plain decimals", () => {
    expect(Rate.parse("0.08")).toEqual(Result.succeed(Rate.fromUnits(80_000_000_000n)))
    expect(Rate.parse("0.000000000001")).toEqual(Result.succeed(Rate.fromUnits(1n)))
    expect(Rate.parse("8000000")).toEqual(Result.succeed(Rate.MAX))
    expect(Rate.parse("0")).toEqual(Result.succeed(Rate.ZERO))
  })

  it("refuses what is no rate, and says what it takes", () => {
    for (const text of ["", "-1", "1e-3", "0.0000000000001", "1.", "NaN"])
      expect(expected(Rate.parse(text))).toBe(DECIMAL)
    expect(expected(Rate.parse("8000000.000000000001"))).toBe(RANGE)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 1e-13, 0.1 + 0.2]) {
      expect(expected(Rate.fromNumber(value))).toBe(DECIMAL)
    }
    for (const value of [1e300, 8_000_000.000000001]) expect(expected(Rate.fromNumber(value))).toBe(RANGE)
  })

  it("reads JSON numbers through their shortest decimal", () => {
    expect(Rate.fromNumber(1e-12)).toEqual(Result.succeed(Rate.fromUnits(1n)))
    expect(Rate.fromNumber(1.0834)).toEqual(Result.succeed(Rate.fromUnits(1_083_400_000_000n)))
    expect(Rate.fromNumber(8_000_000)).toEqual(Result.succeed(Rate.MAX))
    expect(Rate.fromNumber(0)).toEqual(Result.succeed(Rate.ZERO))
  })

  it("parses what it formats", () => {
    fc.assert(
      fc.property(rates, (rate) => {
        expect(Rate.parse(Rate.format(rate))).toEqual(Result.succeed(rate))
      }),
      property()
    )
    expect(Rate.format(Rate.fromUnits(-80_000_000_000n))).toBe("-0.08")
  })

  it("reads every number that it answers, below 8,192", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 8_192n * Rate.ONE - 1n).map(Rate.fromUnits), (rate) => {
        expect(Rate.fromNumber(Rate.toNumber(rate))).toEqual(Result.succeed(rate))
      }),
      property()
    )
    expect(Rate.toNumber(Rate.fromUnits(59_000_000_000n))).toBe(0.059)
  })

  it("makes ratios, rounded the way that is asked", () => {
    expect<bigint>(Rate.ratio(1n, 3n, "floor")).toBe(333_333_333_333n)
    expect<bigint>(Rate.ratio(1n, 3n, "ceil")).toBe(333_333_333_334n)
    expect<bigint>(Rate.ratio(1n, 4n, "ceil")).toBe(250_000_000_000n)
    expect(() => Rate.ratio(1n, 0n, "floor")).toThrow(RangeError)
  })

  it("converts with one rounding, the way that is asked", () => {
    const third = Rate.fromUnits(333_333_333_333n)
    expect<bigint>(Rate.convert(Amount.ONE, third, "floor")).toBe(333_333n)
    expect<bigint>(Rate.convert(Amount.ONE, third, "ceil")).toBe(333_334n)
    expect<bigint>(Rate.convert(Amount.fromUnits(-1n), third, "floor")).toBe(-1n)
    expect<bigint>(Rate.convert(Amount.fromUnits(-1n), third, "ceil")).toBe(0n)
  })

  it("converts to within one unit of the exact product, floor below and ceil above", () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        const exact = amount * rate
        const floor = Rate.convert(amount, rate, "floor") * Rate.ONE
        const ceil = Rate.convert(amount, rate, "ceil") * Rate.ONE
        expect(floor <= exact && exact - floor < Rate.ONE).toBe(true)
        expect(ceil >= exact && ceil - exact < Rate.ONE).toBe(true)
      }),
      property()
    )
  })

  it("keeps an amount at the rate 1", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom<Rate.Direction>("floor", "ceil"), (amount, direction) => {
        expect(Rate.convert(amount, Rate.ONE, direction)).toBe(amount)
      }),
      property()
    )
  })
})
