import { describe, expect, it } from "bun:test"
import { boundOf, bucketsIn } from "../../../scripts/bench/MetricHistogram.ts"

const text = (first: number, second: number, all: number): string =>
  [
    "# TYPE lag histogram",
    `lag_bucket{le="0.001"} ${first}`,
    `lag_bucket{le="0.5"} ${second}`,
    `lag_bucket{le="+Inf"} ${all}`,
    `lag_of_others_bucket{le="0.001"} 99`,
    `lag_count ${all}`,
    ""
  ].join("\n")

describe("bucketsIn", () => {
  it("reads a histogram's bounds, and no other's", () => {
    expect(bucketsIn(text(1, 2, 3), "lag")).toEqual([
      { bound: 0.001, count: 1 },
      { bound: 0.5, count: 2 },
      { bound: Infinity, count: 3 }
    ])
    expect(bucketsIn(text(1, 2, 3), "absent")).toEqual([])
  })
})

describe("boundOf", () => {
  const before = bucketsIn(text(100, 100, 100), "lag")
  const after = bucketsIn(text(150, 199, 200), "lag")

  it("is the bound that a share of what came since was within", () => {
    expect([0.5, 0.51, 0.99, 1].map((share) => boundOf(before, after, share))).toEqual([0.001, 0.5, 0.5, Infinity])
  })

  it("counts from the start where nothing was there before", () => {
    expect(boundOf([], after, 0.75)).toBe(0.001)
  })

  it("is no number where nothing came", () => {
    expect(boundOf(after, after, 0.5)).toBeNaN()
  })
})
