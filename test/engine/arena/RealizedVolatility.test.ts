import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { realizedVolatility } from "../../../engine/arena/RealizedVolatility.ts"
import { property } from "../../lib/Property.ts"

const closes = fc.array(fc.bigInt(1_000n, 10n ** 16n), { minLength: 3, maxLength: 20 })

const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b)

describe("RealizedVolatility", () => {
  it("is the sample deviation of the logarithmic returns × √365, rounded down", () => {
    // 0.340793219507985… and 2.710911813975248…
    expect<bigint>(realizedVolatility([100_000n, 101_000n, 99_500n, 102_000n, 101_250n])).toBe(340_793_219_507n)
    expect<bigint>(realizedVolatility([100n, 110n, 99n])).toBe(2_710_911_813_975n)
  })

  it("is 0 for closes that do not move or move evenly", () => {
    expect<bigint>(realizedVolatility([7n, 7n, 7n])).toBe(0n)
    expect<bigint>(realizedVolatility([1n, 2n, 4n, 8n])).toBe(0n)
  })

  it("dies on fewer than three closes or one that is not positive", () => {
    expect(() => realizedVolatility([1n, 2n])).toThrow(new RangeError("a volatility needs at least 3 closes"))
    for (const bad of [0n, -1n]) {
      expect(() => realizedVolatility([1n, bad, 2n])).toThrow(new RangeError("a volatility needs positive closes"))
    }
  })

  it("knows no unit and no direction", () => {
    fc.assert(
      fc.property(closes, fc.bigInt(2n, 1_000_000n), (prices, unit) => {
        const volatility = realizedVolatility(prices)
        expect(distance(realizedVolatility(prices.map((price) => price * unit)), volatility) <= 1n).toBe(true)
        expect(distance(realizedVolatility(prices.toReversed()), volatility) <= 1n).toBe(true)
      }),
      property()
    )
  })

  it("doubles when every return doubles", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 1_000n), { minLength: 3, maxLength: 10 }), (prices) => {
        const doubled = realizedVolatility(prices.map((price) => price * price))
        expect(distance(doubled, 2n * realizedVolatility(prices)) <= 2n).toBe(true)
      }),
      property()
    )
  })
})
