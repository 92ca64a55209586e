import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { LEAST_POINTS, MOST_REASONS, reasonsOf } from "../../../engine/credit/CreditReason.ts"
import type { CreditScore } from "../../../engine/credit/CreditScore.ts"
import { scoreApplication } from "../../../engine/credit/CreditScore.ts"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { anyApplication, APPLICATION } from "../../lib/CreditArbitraries.ts"
import { property } from "../../lib/Property.ts"

const scored: CreditScore = {
  score: 500,
  base: 500,
  points: [
    { attribute: "annualIncome", points: 10, best: 20 },
    { attribute: "homeOwnership", points: -30, best: 10 },
    { attribute: "empLength", points: 1, best: 1 + LEAST_POINTS - 1 },
    { attribute: "loanAmt", points: -7, best: 3 },
    { attribute: "purpose", points: 0, best: 60 },
    { attribute: "loanToIncome", points: -5, best: 0 }
  ],
  scale: 0
}

describe("reasonsOf", () => {
  it("names what costs most, the costliest first, and equals in the attributes' order", () => {
    expect(reasonsOf(scored, APPLICATION).map(({ code, points }) => [code, points])).toEqual([
      ["purpose", 60],
      ["homeOwnership", 40],
      ["annualIncome", 10],
      ["loanAmt", 10]
    ])
  })

  it("leaves out what costs next to nothing", () => {
    const line = (best: number) => ({ ...scored, points: [{ attribute: "empLength" as const, points: 0, best }] })
    expect(reasonsOf(line(LEAST_POINTS - 1), APPLICATION)).toEqual([])
    expect(reasonsOf(line(LEAST_POINTS), APPLICATION)).toHaveLength(1)
  })

  it("says that a purpose is not known", () => {
    const [first] = reasonsOf(scored, { ...APPLICATION, purpose: null })
    expect(first?.code).toBe("unknownPurpose")
  })

  it("gives at most four, each a sentence", () => {
    fc.assert(
      fc.property(anyApplication, (application) => {
        const reasons = reasonsOf(scoreApplication(trainedModel, application), application)
        expect(reasons.length).toBeLessThanOrEqual(MOST_REASONS)
        expect(new Set(reasons.map(({ code }) => code)).size).toBe(reasons.length)
        for (const [index, { text, points }] of reasons.entries()) {
          expect(text).toMatch(/^[A-Z].{20,}\.$/)
          expect(points).toBeGreaterThanOrEqual(LEAST_POINTS)
          expect(points).toBeLessThanOrEqual(reasons[index - 1]?.points ?? Number.POSITIVE_INFINITY)
        }
      }),
      property()
    )
  })
})
