import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { bandOf } from "../../../engine/credit/CreditPolicy.ts"
import { assess } from "../../../engine/credit/ScoreCard.ts"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { anyApplication, anyIncome, APPLICATION } from "../../lib/CreditArbitraries.ts"
import { property } from "../../lib/Property.ts"

const AT = 1_795_000_000_000

describe("assess", () => {
  it("fills a card", () => {
    const card = assess(trainedModel, APPLICATION, AT)
    expect(card).toMatchObject({ band: bandOf(card.score), modelVersion: trainedModel.version, assessedAt: AT })
    expect(card.score).toBeGreaterThan(600)
    expect(card.limit).toBe(fromUnits(9_000n * ONE))
    expect(card.apr).toBeGreaterThan(600)
    expect(card.points[0]).toEqual({ attribute: "base", points: trainedModel.base })
  })

  it("has lines that add up to the score", () => {
    fc.assert(
      fc.property(anyApplication, (application) => {
        const { score, points, reasons } = assess(trainedModel, application, AT)
        expect(points.reduce((sum, line) => sum + line.points, 0)).toBe(score)
        expect(reasons.length).toBeLessThanOrEqual(4)
        expect(points.some(({ attribute, points: none }) => attribute === "scale" && none === 0)).toBe(false)
        if (points.length === 8) expect(points.at(-1)?.attribute).toBe("scale")
        else expect(points.length).toBe(7)
      }),
      property()
    )
  })

  it("grants nothing below band D, at no better rate than above", () => {
    const poor = assess(
      trainedModel,
      { ...APPLICATION, annualIncome: fromUnits(9_000n * ONE), homeOwnership: false },
      AT
    )
    expect(poor).toMatchObject({ score: 300, band: "E", limit: ZERO, apr: 3_600 })
    expect(poor.points.at(-1)).toMatchObject({ attribute: "scale" })
    expect(poor.reasons[0]?.code).toBe("loanToIncome")
  })

  it("grants no less and no dearer with more income", () => {
    fc.assert(
      fc.property(anyApplication, anyIncome, (application, other) => {
        const [low, high] =
          other < application.annualIncome ? [other, application.annualIncome] : [application.annualIncome, other]
        const less = assess(trainedModel, { ...application, annualIncome: low }, AT)
        const more = assess(trainedModel, { ...application, annualIncome: high }, AT)
        expect(more.limit).toBeGreaterThanOrEqual(less.limit)
        expect(more.apr).toBeLessThanOrEqual(less.apr)
        expect(more.defaultProbability).toBeLessThanOrEqual(less.defaultProbability)
      }),
      property()
    )
  })

  it("grants no more than what was asked, so that asking little gains nothing", () => {
    fc.assert(
      fc.property(anyApplication, (application) => {
        expect(assess(trainedModel, application, AT).limit).toBeLessThanOrEqual(BigInt(application.loanAmt) * ONE)
      }),
      property()
    )
  })
})
