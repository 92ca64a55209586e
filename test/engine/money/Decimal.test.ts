import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { formatUnits, parseUnits, roundUnits, shortestDecimal } from "../../../engine/money/Decimal.ts"
import { property } from "../../lib/Property.ts"

describe("Decimal", () => {
  it("reads plain decimals of at most the given places", () => {
    expect(parseUnits("0", 3)).toBe(0n)
    expect(parseUnits("12.5", 3)).toBe(12_500n)
    expect(parseUnits("0012.500", 3)).toBe(12_500n)
    expect(parseUnits("12.5005", 3)).toBeUndefined()
    expect(parseUnits("9999999999999999", 1)).toBe(99_999_999_999_999_990n)
  })

  it("rounds to the given places, a half to the even one", () => {
    const cases: ReadonlyArray<readonly [string, bigint]> = [
      ["1.0005", 1_000n],
      ["1.0015", 1_002n],
      ["1.00150", 1_002n],
      ["1.00050001", 1_001n],
      ["1.0004999", 1_000n],
      ["0.9995", 1_000n],
      ["7", 7_000n]
    ]
    for (const [text, units] of cases) expect(roundUnits(text, 3)).toBe(units)
    for (const text of ["-1", "1e3", "", "NaN"]) expect(roundUnits(text, 3)).toBeUndefined()
  })

  it("refuses everything else", () => {
    const refused = ["", ".", "1.", ".5", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1_000", "1,5", "NaN", "Infinity", "١"]
    for (const text of [...refused, "10000000000000000", "1\n"]) expect(parseUnits(text, 3)).toBeUndefined()
  })

  it("writes without trailing zeros and with the sign", () => {
    expect(formatUnits(0n, 3)).toBe("0")
    expect(formatUnits(5n, 3)).toBe("0.005")
    expect(formatUnits(-5n, 3)).toBe("-0.005")
    expect(formatUnits(1_000n, 3)).toBe("1")
    expect(formatUnits(-12_340n, 3)).toBe("-12.34")
    expect(formatUnits(100_000n, 3)).toBe("100")
  })

  it("reads what it wrote", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 9_999_999_999_999_999n), fc.integer({ min: 1, max: 18 }), (units, decimals) => {
        expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units)
      }),
      property()
    )
  })

  it("writes a double's shortest decimal without an exponent below 10⁻⁶", () => {
    expect(shortestDecimal(1e-7)).toBe("0.0000001")
    expect(shortestDecimal(1.25e-10)).toBe("0.000000000125")
    expect(shortestDecimal(0.1)).toBe("0.1")
    expect(shortestDecimal(0.000001)).toBe("0.000001")
    expect(shortestDecimal(1e20)).toBe("100000000000000000000")
  })

  it("leaves the text of what is no plain decimal as it is", () => {
    expect(shortestDecimal(1e21)).toBe("1e+21")
    expect(shortestDecimal(Number.NaN)).toBe("NaN")
    expect(shortestDecimal(Number.POSITIVE_INFINITY)).toBe("Infinity")
  })

  it("names the same double", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e20, noNaN: true }), (value) => {
        const text = shortestDecimal(value)
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value)
      }),
      property()
    )
  })
})
