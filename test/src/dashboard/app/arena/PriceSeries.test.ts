import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import {
  joined,
  MAX_POINTS,
  type PricePoint,
  sparkline,
  withPoint
} from "../../../../../src/dashboard/app/arena/PriceSeries.ts"
import { property } from "../../../../lib/Property.ts"

const point = (at: number, price = 1): PricePoint => ({ at, price })

const anyPoints = fc.array(fc.record({ at: fc.nat(100_000), price: fc.integer({ min: 1, max: 1_000 }) }), {
  maxLength: 60
})

describe("A series of prices", () => {
  it("ascends and stays bounded, in whatever order prices come", () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const series = points.reduce<ReadonlyArray<PricePoint>>(withPoint, [])
        const times = series.map(({ at }) => at)
        expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
      }),
      property()
    )
    const long = Array.from({ length: MAX_POINTS + 3 }, (_, at) => point(at)).reduce<ReadonlyArray<PricePoint>>(
      withPoint,
      []
    )
    expect([long.length, long[0]?.at]).toEqual([MAX_POINTS, 3])
  })

  it("joins what was recorded and what came after, up to the end", () => {
    const times = joined([point(1), point(5)], [point(4), point(5), point(6), point(9)], 8).map(({ at }) => at)
    expect(times).toEqual([1, 5, 6])
    expect(joined([], [point(1)], 8)).toEqual([point(1)])
  })
})

describe("sparkline", () => {
  it("stays in its box", () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const series = points.reduce<ReadonlyArray<PricePoint>>(withPoint, [])
        const drawn = sparkline(series, 80, 20)
        if (series.length < 2) return expect(drawn).toBe("")
        for (const [x, y] of drawn.split(" ").map((pair) => pair.split(",").map(Number))) {
          expect(x).toBeWithin(0, 80.1)
          expect(y).toBeWithin(0, 20.1)
        }
      }),
      property()
    )
  })
})
