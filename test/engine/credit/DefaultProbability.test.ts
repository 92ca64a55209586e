import { describe, expect, it } from "bun:test"
import {
  ANCHOR_SCORE,
  defaultProbability,
  HIGHEST_SCORE,
  LOWEST_SCORE,
  onScale,
  POINTS_TO_DOUBLE
} from "../../../engine/credit/DefaultProbability.ts"

const points = Array.from({ length: 1_500 }, (_, index) => index - 350)

describe("defaultProbability", () => {
  it("is 1 in 20 at 600, and 50 points double the odds", () => {
    expect(defaultProbability(ANCHOR_SCORE)).toBe(50_000)
    expect(defaultProbability(ANCHOR_SCORE + POINTS_TO_DOUBLE)).toBe(Math.round(1e6 / 39))
    expect(defaultProbability(ANCHOR_SCORE - POINTS_TO_DOUBLE)).toBe(Math.round(1e6 / 10.5))
    expect(defaultProbability(LOWEST_SCORE)).toBe(771_084)
    expect(defaultProbability(HIGHEST_SCORE)).toBe(1_642)
  })

  it("is the logistic function to the nearest millionth", () => {
    for (const one of points.filter((value) => value >= -300 && value <= 1_100)) {
      const exact = 1e6 / (1 + 19 * 2 ** ((one - 600) / 50))
      expect(Math.abs(defaultProbability(one) - exact)).toBeLessThan(0.5 + 1e-6)
    }
  })

  it("never rises with the points", () => {
    for (const one of points) expect(defaultProbability(one + 1)).toBeLessThanOrEqual(defaultProbability(one))
  })

  it("dies of a fraction", () => {
    expect(() => defaultProbability(600.5)).toThrow(RangeError)
    expect(() => defaultProbability(Number.NaN)).toThrow(RangeError)
  })
})

describe("onScale", () => {
  it("limits points to the scale", () => {
    expect([-900, 300, 301, 850, 851].map(onScale)).toEqual([300, 300, 301, 850, 850])
  })
})
