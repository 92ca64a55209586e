import { describe, expect, it } from "bun:test"
import { percentile, ratioOf, spreadOf } from "../../../scripts/bench/Sample.ts"

describe("a sample", () => {
  it("has its nearest rank as percentile", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(percentile(hundred, 0.5)).toBe(50)
    expect(percentile(hundred, 0.99)).toBe(99)
    expect(percentile([7], 0.99)).toBe(7)
    expect(percentile([], 0.5)).toBeNaN()
  })

  it("has a median between its ends, whatever the order", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, rounds: 3 })
    expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4, rounds: 4 })
  })

  it("compares round by round", () => {
    expect(ratioOf([10, 100, 30], [5, 50, 10])).toEqual({ median: 2, min: 2, max: 3, rounds: 3 })
  })
})
