import { describe, expect, it } from "bun:test"
import {
  attributeLabel,
  bandWord,
  pointsBars,
  scorePosition,
  usedShare
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

  it("never uses more than a limit, nor less than nothing of it", () => {
    expect([usedShare(0, 0), usedShare(5, 0), usedShare(50, 200), usedShare(300, 200)]).toEqual([0, 1, 0.25, 1])
  })
})
