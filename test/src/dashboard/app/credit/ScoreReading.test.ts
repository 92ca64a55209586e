import { describe, expect, it } from "bun:test"
import {
  attributeLabel,
  bandWord,
  pointsBars,
  scorePosition
} from "../../../../../src/dashboard/app/credit/ScoreReading.ts"

describe("Reading a score card", () => {
  it("places a score between the lowest and the highest", () => {
    expect([300, 575, 850, 0, 999].map(scorePosition)).toEqual([0, 0.5, 1, 0, 1])
  })

  it("draws the longest bar whole", () => {
    const bars = pointsBars([
      { attribute: "base", points: 500 },
      { attribute: "loanAmt", points: -50 }
    ])
    expect(bars).toEqual([
      { label: "Mean applicant", points: 500, share: 1 },
      { label: "Amount asked for", points: -50, share: 0.1 }
    ])
    expect(pointsBars([])).toEqual([])
  })

  it("names attributes and bands", () => {
    expect(attributeLabel("new_one")).toBe("new_one")
    expect(bandWord("A")).toBe("Excellent")
  })
})
