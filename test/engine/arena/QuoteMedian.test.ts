import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { medianOf } from "../../../engine/arena/QuoteMedian.ts"
import { type Amount, fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const amounts = (...units: ReadonlyArray<bigint>) => units.map(fromUnits)
const prices = fc.array(fc.bigInt({ min: 0n, max: 10n ** 16n }).map(fromUnits), { minLength: 1, maxLength: 20 })
const smallest = (list: ReadonlyArray<Amount>) => list.reduce((one, other) => (other < one ? other : one))
const largest = (list: ReadonlyArray<Amount>) => list.reduce((one, other) => (other > one ? other : one))

describe("QuoteMedian", () => {
  it("is the middle price, or the mean of two rounded down", () => {
    expect(medianOf([])).toBeUndefined()
    expect(medianOf(amounts(7n))).toBe(fromUnits(7n))
    expect(medianOf(amounts(9n, 1n, 5n))).toBe(fromUnits(5n))
    expect(medianOf(amounts(10n, 3n))).toBe(fromUnits(6n))
  })

  it("has as many prices at or below it as at or above it, in any order", () => {
    fc.assert(
      fc.property(prices, (list) => {
        const median = medianOf(list)!
        expect(2 * list.filter((price) => price <= median).length >= list.length).toBe(true)
        expect(2 * list.filter((price) => price >= median).length >= list.length).toBe(true)
        expect(medianOf(list.toReversed())).toBe(median)
      }),
      property()
    )
  })

  it("is moved by a minority of sources only within the others' range", () => {
    fc.assert(
      fc.property(prices, fc.bigInt({ min: 0n, max: 10n ** 18n }), (honest, lie) => {
        const liars = Array.from({ length: (honest.length - 1) >> 1 }, () => fromUnits(lie))
        const median = medianOf([...honest, ...liars])!
        expect(median >= smallest(honest) && median <= largest(honest)).toBe(true)
      }),
      property()
    )
  })
})
