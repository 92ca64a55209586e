import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import * as Amount from "../../../engine/money/Amount.ts"
import { parseUnits, shortestDecimal } from "../../../engine/money/Decimal.ts"
import { property } from "../../lib/Property.ts"

const DECIMAL = "a non-negative decimal number with at most 6 decimals"
const NUMBER = "a non-negative decimal number"
const RANGE = "at most 8000000000"

const units = fc.bigInt(0n, Amount.MAX).map(Amount.fromUnits)

const expected = (result: Result.Result<Amount.Amount, Amount.InvalidAmount>): string =>
  Result.isFailure(result) ? result.failure.expected : `taken as ${result.success}`

describe("Amount", () => {
  it("counts in 10⁻⁶, up to 8·10⁹", () => {
    expect<bigint>(Amount.ONE).toBe(10n ** BigInt(Amount.DECIMALS))
    expect<bigint>(Amount.ZERO).toBe(0n)
    expect<bigint>(Amount.MAX).toBe(8_000_000_000_000_000n)
  })

  it("parses plain decimals", () => {
    const cases: ReadonlyArray<readonly [string, bigint]> = [
      ["0", 0n],
      ["0.000001", 1n],
      ["12.5", 12_500_000n],
      ["007", 7_000_000n],
      ["8000000000", 8_000_000_000_000_000n],
      ["7999999999.999999", 7_999_999_999_999_999n]
    ]
    for (const [text, value] of cases) expect(Amount.parse(text)).toEqual(Result.succeed(Amount.fromUnits(value)))
  })

  it("refuses signs, exponents, seven decimals and anything above the bound, and says what it takes", () => {
    for (const text of [
      "",
      "-1",
      "-0",
      "+1",
      "1e-7",
      "1e3",
      "0.0000001",
      "1.",
      ".1",
      "NaN",
      "1e300",
      "Infinity",
      "1 "
    ]) {
      expect(expected(Amount.parse(text))).toBe(DECIMAL)
    }
    expect(expected(Amount.parse("8000000000.000001"))).toBe(RANGE)
    expect(expected(Amount.parse("9999999999999999"))).toBe(RANGE)
  })

  it("reads JSON numbers", () => {
    expect(Amount.fromNumber(0)).toEqual(Result.succeed(Amount.ZERO))
    expect(Amount.fromNumber(0.000001)).toEqual(Result.succeed(Amount.fromUnits(1n)))
    expect(Amount.fromNumber(8_000_000_000)).toEqual(Result.succeed(Amount.MAX))
  })

  it("refuses numbers that are no amount, and says what it takes", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, -1, -1e-9]) {
      expect(expected(Amount.fromNumber(value))).toBe(NUMBER)
    }
    for (const value of [1e300, 1e21, 8_000_000_000.000002, Number.MAX_VALUE]) {
      expect(expected(Amount.fromNumber(value))).toBe(RANGE)
    }
  })

  it("reads the shortest decimal where multiplying by 10⁶ would be wrong", () => {
    expect(Math.trunc(0.000249 * 1_000_000)).toBe(248)
    expect(Amount.fromNumber(0.000249)).toEqual(Result.succeed(Amount.fromUnits(249n)))
  })

  it("rounds a number half to even at the sixth decimal, where parsing a text refuses more", () => {
    const rounded = [
      [0.1 + 0.2, 300_000n],
      [1.095 * 1.0123, 1_108_468n],
      [1e-7, 0n],
      [0.000_000_5, 0n],
      [0.000_000_500_000_1, 1n],
      [0.000_001_5, 2n],
      [0.123_456_5, 123_456n],
      [0.123_457_5, 123_458n],
      [2.675_000_5, 2_675_000n]
    ] as const
    for (const [value, units] of rounded)
      expect(Amount.fromNumber(value)).toEqual(Result.succeed(Amount.fromUnits(units)))
    expect(expected(Amount.parse("0.1234567"))).toBe(DECIMAL)
    expect(Amount.parseRounded("0.1234575")).toEqual(Result.succeed(Amount.fromUnits(123_458n)))
    expect(expected(Amount.parseRounded("-1"))).toBe(NUMBER)
    expect(expected(Amount.parseRounded("8000000000.0000006"))).toBe(RANGE)
  })

  it("formats without trailing zeros", () => {
    expect(Amount.format(Amount.fromUnits(12_500_000n))).toBe("12.5")
    expect(Amount.format(Amount.fromUnits(-1n))).toBe("-0.000001")
    expect(Amount.format(Amount.ZERO)).toBe("0")
    expect(Amount.format(Amount.MAX)).toBe("8000000000")
  })

  it("parses what it formats", () => {
    fc.assert(
      fc.property(units, (amount) => {
        expect(Amount.parse(Amount.format(amount))).toEqual(Result.succeed(amount))
      }),
      property()
    )
  })

  it("reads every number that it answers, over the whole range", () => {
    const nearTheBound = fc.bigInt(Amount.MAX - 10_000_000n, Amount.MAX).map(Amount.fromUnits)
    fc.assert(
      fc.property(fc.oneof(units, nearTheBound), (amount) => {
        expect(Amount.fromNumber(Amount.toNumber(amount))).toEqual(Result.succeed(amount))
      }),
      property()
    )
  })

  it("answers the very number that it read", () => {
    fc.assert(
      fc.property(units, (amount) => {
        const value = Number(Amount.format(amount))
        expect(Amount.fromNumber(value).pipe(Result.map(Amount.toNumber))).toEqual(Result.succeed(value))
      }),
      property()
    )
  })

  it("takes or refuses any double, and keeps what it takes to the half of a unit, a half to the even one", () => {
    const PLACES = 340
    const ONE = 10n ** BigInt(PLACES - 6)
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double({ min: 0, max: 8e9 })), (value) => {
        const read = Amount.fromNumber(value)
        if (Result.isFailure(read)) return expect([NUMBER, RANGE]).toContain(read.failure.expected)
        const exact = parseUnits(shortestDecimal(value), PLACES) ?? -1n
        const off = read.success * ONE - exact
        const twice = 2n * (off < 0n ? -off : off)
        expect(twice < ONE || (twice === ONE && read.success % 2n === 0n)).toBe(true)
      }),
      property()
    )
  })
})
