import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { intrinsicValue, type OptionType, premium } from "../../../engine/arena/OptionPremium.ts"
import { YEAR_MILLIS } from "../../../engine/arena/YieldIndex.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000

const rate = (text: string): Rate.Rate => Result.getOrThrow(Rate.parse(text))

const price = (type: OptionType, spot: bigint, strike: bigint, volatility: bigint, remaining: number): bigint =>
  premium({
    type,
    spot: fromUnits(spot),
    strike: fromUnits(strike),
    volatility: Rate.fromUnits(volatility),
    remaining
  })

const prices = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 5_000n * ONE), fc.bigInt(1n, MAX))
const volatilities = fc.oneof(fc.bigInt(0n, 3n * Rate.ONE), fc.bigInt(0n, 1_000n))
const remainings = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 3 * YEAR_MILLIS }))

/** Spot and strike near each other, where there is time value. */
const near = fc.tuple(fc.bigInt(10n ** 4n, 10n ** 10n), fc.bigInt(50n, 200n)).map(([spot, percent]) => ({
  spot,
  strike: (spot * percent) / 100n
}))

describe("OptionPremium", () => {
  it("prices calls and puts by Black and Scholes, rounded down", () => {
    // Spot, strike, volatility, days, call, put; computed apart with 100 digits.
    const cases: ReadonlyArray<readonly [bigint, bigint, string, number, bigint, bigint]> = [
      [100n * ONE, 100n * ONE, "0.2", 365, 7_965_567n, 7_965_567n],
      [4_000n * ONE, 4_000n * ONE, "0.15", 30, 68_618_630n, 68_618_630n],
      [42n * ONE, 40n * ONE, "0.3", 30, 2_626_574n, 626_574n],
      [40n * ONE, 42n * ONE, "0.3", 30, 626_574n, 2_626_574n],
      [MAX, MAX, "1", 3650, 7_089_229_615_946_735n, 7_089_229_615_946_735n]
    ]
    for (const [spot, strike, volatility, days, call, put] of cases) {
      expect(price("call", spot, strike, rate(volatility), days * DAY)).toBe(call)
      expect(price("put", spot, strike, rate(volatility), days * DAY)).toBe(put)
    }
    expect(price("call", 100n * ONE, 110n * ONE, rate("0.5"), YEAR_MILLIS / 4)).toBe(6_190_426n)
    expect(price("put", 100n * ONE, 110n * ONE, rate("0.5"), YEAR_MILLIS / 4)).toBe(16_190_426n)
  })

  it("is the intrinsic value at expiry, after it, and without volatility", () => {
    for (const [volatility, remaining] of [
      [rate("0.5"), 0],
      [rate("0.5"), -1],
      [0n, DAY]
    ] as const) {
      expect(price("call", 120n, 100n, volatility, remaining)).toBe(20n)
      expect(price("put", 120n, 100n, volatility, remaining)).toBe(0n)
      expect(price("call", 100n, 120n, volatility, remaining)).toBe(0n)
      expect(price("put", 100n, 120n, volatility, remaining)).toBe(20n)
    }
    const terms = { spot: fromUnits(7n), strike: fromUnits(7n), volatility: rate("1"), remaining: DAY }
    expect<bigint>(intrinsicValue({ ...terms, type: "call" })).toBe(0n)
    expect<bigint>(intrinsicValue({ ...terms, type: "put" })).toBe(0n)
  })

  it("has time value in the last millisecond", () => {
    expect(price("call", MAX, MAX, rate("0.5"), 1) > 0n).toBe(true)
  })

  it("keeps put-call parity to the unit: call − put = spot − strike", () => {
    fc.assert(
      fc.property(prices, prices, volatilities, remainings, (spot, strike, volatility, remaining) => {
        const call = price("call", spot, strike, volatility, remaining)
        const put = price("put", spot, strike, volatility, remaining)
        expect(call - put).toBe(spot - strike)
      }),
      property()
    )
  })

  it("is at least the intrinsic value; a call at most the spot, a put at most the strike", () => {
    fc.assert(
      fc.property(prices, prices, volatilities, remainings, (spot, strike, volatility, remaining) => {
        const call = price("call", spot, strike, volatility, remaining)
        const put = price("put", spot, strike, volatility, remaining)
        expect(call >= 0n && call >= spot - strike && call <= spot).toBe(true)
        expect(put >= 0n && put >= strike - spot && put <= strike).toBe(true)
      }),
      property()
    )
  })

  it("rises with volatility and with time", () => {
    fc.assert(
      fc.property(near, volatilities, remainings, fc.bigInt(0n, Rate.ONE), (terms, volatility, remaining, more) => {
        const { spot, strike } = terms
        const base = price("call", spot, strike, volatility, remaining)
        expect(price("call", spot, strike, volatility + more, remaining) >= base).toBe(true)
        expect(price("call", spot, strike, volatility, remaining + Number(more / 100n)) >= base).toBe(true)
      }),
      property()
    )
  })

  it("rises with the spot price for a call and falls for a put, and the other way with the strike", () => {
    fc.assert(
      fc.property(near, volatilities, remainings, fc.bigInt(0n, 10n ** 6n), (terms, volatility, remaining, more) => {
        const { spot, strike } = terms
        const call = price("call", spot, strike, volatility, remaining)
        const put = price("put", spot, strike, volatility, remaining)
        expect(price("call", spot + more, strike, volatility, remaining) >= call).toBe(true)
        expect(price("put", spot + more, strike, volatility, remaining) <= put).toBe(true)
        expect(price("call", spot, strike + more, volatility, remaining) <= call).toBe(true)
        expect(price("put", spot, strike + more, volatility, remaining) >= put).toBe(true)
      }),
      property()
    )
  })

  it("scales with the unit of account, but for the rounding", () => {
    fc.assert(
      fc.property(near, volatilities, remainings, ({ spot, strike }, volatility, remaining) => {
        const base = price("call", spot, strike, volatility, remaining)
        const scaled = price("call", spot * 1000n, strike * 1000n, volatility, remaining)
        expect(scaled / 1000n === base).toBe(true)
      }),
      property()
    )
  })
})
