import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import fc from "fast-check"
import { fromUnits, MAX, toNumber } from "../../../engine/money/Amount.ts"
import { AmountFromNumber, AmountFromString, SignedAmount } from "../../../src/api/Money.ts"
import { property } from "../../lib/Property.ts"

const units = fc.bigInt({ min: 0n, max: MAX }).map(fromUnits)

describe("Money", () => {
  it("every amount goes out as the number that comes back as the same amount", () => {
    fc.assert(
      fc.property(units, (amount) => {
        const sent: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(AmountFromNumber)(amount)))
        expect(Schema.decodeUnknownSync(AmountFromNumber)(sent)).toBe(amount)
        expect(Schema.decodeUnknownSync(AmountFromString)(Schema.encodeSync(AmountFromString)(amount))).toBe(amount)
      }),
      property()
    )
  })

  it("a signed amount goes out and comes back with its sign", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX, max: MAX }).map(fromUnits), (amount) => {
        const sent = Schema.encodeSync(SignedAmount)(amount)
        expect(sent).toBe(toNumber(amount))
        expect(Schema.decodeUnknownSync(SignedAmount)(sent)).toBe(amount)
      }),
      property()
    )
  })

  it("rounds what has more than six decimals, half to even", () => {
    const decode = Schema.decodeUnknownSync(AmountFromNumber)
    for (const [sent, taken] of [
      [1.1234565, 1_123_456n],
      [1.1234575, 1_123_458n],
      [5e-324, 0n]
    ] as const) {
      expect(decode(sent)).toBe(fromUnits(taken))
    }
    expect(Schema.decodeUnknownSync(AmountFromString)("1.1234575")).toBe(fromUnits(1_123_458n))
  })

  it("refuses everything else", () => {
    const decode = Schema.decodeUnknownOption(AmountFromNumber)
    for (const value of [-1, -0, -1e-9, 1e300, 8_000_000_000.000001, NaN, Infinity, "1", null, {}, 1n]) {
      expect(Option.isNone(decode(value))).toBe(true)
    }
    const text = Schema.decodeUnknownOption(AmountFromString)
    for (const value of ["-1", "1e3", "", " 1", "1.", "0x1", "8000000001", 1]) {
      expect(Option.isNone(text(value))).toBe(true)
    }
  })
})
