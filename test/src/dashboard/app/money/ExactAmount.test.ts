import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { format, fromUnits } from "../../../../../engine/money/Amount.ts"
import { exactAmount, exactChange } from "../../../../../src/dashboard/app/money/ExactAmount.ts"
import { runs } from "../../../../lib/Property.ts"

describe("An exact amount", () => {
  it.each([
    ["1234.5", "USD", "$1,234.50"],
    ["-1234567", "EUR", "−€1,234,567.00"],
    ["0.000012", "USD", "$0.000012"],
    ["0.00045", "BTC", "0.00045 BTC"],
    ["14.25", "XAU", "14.25 XAU"],
    ["12", "H100-SXM", "12.00 H100-SXM"],
    ["999.999999", "GBP", "£999.999999"],
    ["1000", "USD", "$1,000.00"]
  ])("of %s %s", (units, asset, written) => {
    expect(exactAmount(units, asset)).toBe(written)
  })

  it("says whether it came in", () => {
    expect(exactChange("12", "USD")).toBe("+$12.00")
    expect(exactChange("-3.5", "USD")).toBe("−$3.50")
  })

  it("loses no unit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 8_000_000_000_000_000n }), (units) => {
        const written = exactAmount(format(fromUnits(units)), "USD")
        const [whole = "", decimals = ""] = written.replaceAll(/[$,]/g, "").split(".")
        expect(BigInt(whole + decimals.padEnd(6, "0"))).toBe(units)
      }),
      { numRuns: runs() }
    )
  })
})
