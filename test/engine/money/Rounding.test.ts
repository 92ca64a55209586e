import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ceilDivide, clamp, floorDivide, truncateDivide } from "../../../engine/money/Rounding.ts"
import { property } from "../../lib/Property.ts"

const numerator = fc.bigInt(-(10n ** 30n), 10n ** 30n)
const small = fc.bigInt(-50n, 50n)
const divisor = fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(1n, 10n ** 15n))

describe("Rounding", () => {
  it("rounds 7 ÷ 2 and −7 ÷ 2 in each direction", () => {
    expect([floorDivide(7n, 2n), ceilDivide(7n, 2n), truncateDivide(7n, 2n)]).toEqual([3n, 4n, 3n])
    expect([floorDivide(-7n, 2n), ceilDivide(-7n, 2n), truncateDivide(-7n, 2n)]).toEqual([-4n, -3n, -3n])
  })

  it("leaves exact quotients alone", () => {
    for (const divide of [floorDivide, ceilDivide, truncateDivide]) {
      expect([divide(6n, 2n), divide(-6n, 2n), divide(0n, 2n)]).toEqual([3n, -3n, 0n])
    }
  })

  it("dies on a zero divisor", () => {
    for (const divide of [floorDivide, ceilDivide, truncateDivide]) expect(() => divide(1n, 0n)).toThrow(RangeError)
  })

  it("floor is the largest integer not above, ceil the smallest not below", () => {
    fc.assert(
      fc.property(fc.oneof(numerator, small), divisor, (n, d) => {
        const floor = floorDivide(n, d)
        expect(floor * d <= n && n < (floor + 1n) * d).toBe(true)
        const ceil = ceilDivide(n, d)
        expect(ceil * d >= n && n > (ceil - 1n) * d).toBe(true)
        expect(ceilDivide(-n, d)).toBe(-floor)
        expect(truncateDivide(n, d)).toBe(n < 0n ? ceil : floor)
      }),
      property()
    )
  })

  it("clamps to its limits, both included", () => {
    expect([clamp(-6n, -5n, 5n), clamp(-5n, -5n, 5n), clamp(0n, -5n, 5n)]).toEqual([-5n, -5n, 0n])
    expect([clamp(5n, -5n, 5n), clamp(6n, -5n, 5n), clamp(9n, 3n, 3n)]).toEqual([5n, 5n, 3n])
  })
})
