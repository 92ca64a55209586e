import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { collateralOf, collateralOfValue, orderValueOf, ValueTooLarge } from "../../../engine/arena/Collateral.ts"
import { type Amount, fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const usd = (text: number): Amount => fromUnits(BigInt(text) * ONE)

/** Prices and quantities whose product is in bounds. */
const positive = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 80_000n * ONE)).map(fromUnits)

const taken = (price: bigint, quantity: bigint): bigint =>
  Result.getOrThrow(collateralOf(fromUnits(price), fromUnits(quantity)))

describe("Collateral", () => {
  it("is 381.00 for 10,000.00", () => {
    expect(collateralOf(usd(100), usd(100))).toEqual(Result.succeed(usd(381)))
    expect(collateralOfValue(usd(10_000))).toBe(usd(381))
    expect(orderValueOf(usd(100), usd(100))).toEqual(Result.succeed(usd(10_000)))
  })

  it("rounds up", () => {
    expect<bigint>(collateralOfValue(fromUnits(1n))).toBe(1n)
    expect<bigint>(collateralOfValue(fromUnits(0n))).toBe(0n)
    expect<bigint>(collateralOfValue(fromUnits(26n))).toBe(1n)
    expect<bigint>(collateralOfValue(fromUnits(27n))).toBe(2n)
    expect<bigint>(taken(1n, 1n)).toBe(1n)
    expect(orderValueOf(fromUnits(1n), fromUnits(1n))).toEqual(Result.succeed(fromUnits(1n)))
    expect(orderValueOf(fromUnits(0n), fromUnits(1n))).toEqual(Result.succeed(fromUnits(0n)))
  })

  it("rounds the exact product once", () => {
    // 78.5 units of value need 2.99…; rounding the value to 79 first would ask for 3.01, so 4.
    expect<bigint>(taken(500_000n, 157n)).toBe(3n)
    expect(orderValueOf(fromUnits(500_000n), fromUnits(157n))).toEqual(Result.succeed(fromUnits(79n)))
    expect<bigint>(collateralOfValue(fromUnits(79n))).toBe(4n)
  })

  it("takes a value of 8·10⁹ and refuses anything above, however little", () => {
    expect(orderValueOf(MAX, ONE)).toEqual(Result.succeed(MAX))
    expect(collateralOf(MAX, ONE)).toEqual(Result.succeed(usd(304_800_000)))
    for (const of of [orderValueOf, collateralOf]) {
      expect(of(MAX, fromUnits(ONE + 1n))).toEqual(Result.fail(new ValueTooLarge({ limit: MAX })))
      // 3 × (bound ÷ 3) is 2 · 10⁻¹² below the bound, and one unit more is 10⁻¹² above it.
      expect(Result.isFailure(of(fromUnits(3n), fromUnits((MAX * ONE) / 3n + 1n)))).toBe(true)
      expect(Result.isFailure(of(fromUnits(3n), fromUnits((MAX * ONE) / 3n)))).toBe(false)
    }
  })

  it("is never below 3.81 % of the exact product, and less than a unit above", () => {
    fc.assert(
      fc.property(positive, positive, (price, quantity) => {
        const exact = price * quantity * 381n
        const scaled = taken(price, quantity) * 10_000n * ONE
        expect(scaled >= exact && scaled - exact < 10_000n * ONE).toBe(true)
        const value = Result.getOrThrow(orderValueOf(price, quantity)) * ONE
        expect(value >= price * quantity && value - price * quantity < ONE).toBe(true)
      }),
      property()
    )
  })

  it("never falls as price or quantity rises", () => {
    fc.assert(
      fc.property(positive, positive, fc.bigInt(0n, 10_000n), (price, quantity, more) => {
        expect(taken(price + more, quantity) >= taken(price, quantity)).toBe(true)
        expect(taken(price, quantity + more) >= taken(price, quantity)).toBe(true)
      }),
      property()
    )
  })

  it("is never lowered by splitting the quantity", () => {
    fc.assert(
      fc.property(positive, positive, positive, (price, one, other) => {
        if (price * (one + other) > MAX * ONE) return
        expect(taken(price, one) + taken(price, other) >= taken(price, one + other)).toBe(true)
      }),
      property()
    )
  })
})
