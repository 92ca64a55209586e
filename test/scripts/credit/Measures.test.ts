import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { areaUnderCurve, brierScore, calibration } from "../../../scripts/credit/Measures.ts"
import { property } from "../../lib/Property.ts"

const anyJudged = fc
  .array(fc.record({ score: fc.integer({ min: 300, max: 310 }), paidBack: fc.boolean() }), {
    minLength: 2,
    maxLength: 40
  })
  .filter((judged) => judged.some(({ paidBack }) => paidBack) && judged.some(({ paidBack }) => !paidBack))

describe("areaUnderCurve", () => {
  it("is the share of pairs in the right order, equals counting half", () => {
    fc.assert(
      fc.property(anyJudged, (judged) => {
        const pairs = judged
          .filter(({ paidBack }) => paidBack)
          .flatMap((good) => judged.filter(({ paidBack }) => !paidBack).map((bad) => good.score - bad.score))
        const right = pairs.filter((gap) => gap > 0).length + pairs.filter((gap) => gap === 0).length / 2
        expect(areaUnderCurve(judged)).toBeCloseTo(right / pairs.length, 10)
      }),
      property()
    )
  })
})

describe("brierScore", () => {
  it("is the mean squared difference", () => {
    expect(brierScore([{ probability: 0.2, paidBack: true }])).toBeCloseTo(0.04, 12)
    expect(
      brierScore([
        { probability: 0.2, paidBack: false },
        { probability: 1, paidBack: false }
      ])
    ).toBeCloseTo(0.32, 12)
  })
})

describe("calibration", () => {
  it("compares means in equal parts", () => {
    const judged = Array.from({ length: 20 }, (_, index) => ({
      score: 300 + index,
      probability: index < 10 ? 0.5 : 0.25,
      paidBack: index % 2 === 0
    }))
    expect(calibration(judged, 2)).toEqual([
      { lowest: 300, highest: 309, applications: 10, predicted: 0.5, observed: 0.5 },
      { lowest: 310, highest: 319, applications: 10, predicted: 0.25, observed: 0.5 }
    ])
  })
})
