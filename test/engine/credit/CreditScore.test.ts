import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { CreditApplication } from "../../../engine/credit/CreditApplication.ts"
import { scoreApplication } from "../../../engine/credit/CreditScore.ts"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { PURPOSES } from "../../../engine/credit/Purpose.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import { anyApplication, anyIncome, anyLoan, anyYears, APPLICATION } from "../../lib/CreditArbitraries.ts"
import { property } from "../../lib/Property.ts"

const scoreOf = (application: CreditApplication): number => scoreApplication(trainedModel, application).score

/** The points without the limits of the scale, where nothing can hide. */
const totalOf = (application: CreditApplication): number => {
  const { score, scale } = scoreApplication(trainedModel, application)
  return score - scale
}

const neverLower = (lower: CreditApplication, higher: CreditApplication): void => {
  expect(totalOf(higher)).toBeGreaterThanOrEqual(totalOf(lower))
  expect(scoreOf(higher)).toBeGreaterThanOrEqual(scoreOf(lower))
}

describe("scoreApplication", () => {
  it("adds up exactly, in whole numbers on the scale", () => {
    fc.assert(
      fc.property(anyApplication, (application) => {
        const { score, base, points, scale } = scoreApplication(trainedModel, application)
        expect(points.reduce((sum, one) => sum + one.points, base + scale)).toBe(score)
        expect(score).toBeWithin(300, 851)
        if (scale !== 0) expect([300, 850]).toContain(score)
        for (const one of [base, scale, ...points.flatMap((line) => [line.points, line.best])]) {
          expect(Number.isInteger(one)).toBe(true)
        }
        for (const one of points) expect(one.points).toBeLessThanOrEqual(one.best)
        expect(points.map(({ attribute }) => attribute)).toEqual([
          "annualIncome",
          "homeOwnership",
          "empLength",
          "loanAmt",
          "purpose",
          "loanToIncome"
        ])
      }),
      property()
    )
  })

  it("takes each attribute's points from the step that its value is in, cuts included", () => {
    const { annualIncome, homeOwnership, empLength, loanAmt, loanToIncome } = trainedModel
    const atCut = fc.constantFrom(...loanToIncome.cuts, 10_000).map((ratio) => ({ ratio }))
    fc.assert(
      fc.property(
        anyApplication,
        fc.constantFrom(...annualIncome.cuts, null),
        fc.constantFrom(...loanAmt.cuts, null),
        fc.option(atCut),
        (drawn, income, loan, exact) => {
          const dollars = income ?? Number(drawn.annualIncome / ONE)
          const atRatio = exact === null ? null : (exact.ratio * dollars) / 10_000
          const application = {
            ...drawn,
            annualIncome: income === null ? drawn.annualIncome : fromUnits(BigInt(income) * ONE),
            loanAmt: atRatio !== null && Number.isInteger(atRatio) && atRatio > 0 ? atRatio : (loan ?? drawn.loanAmt)
          }
          const purpose = application.purpose ?? trainedModel.unknownPurpose
          const home = application.homeOwnership ? "owner" : "tenant"
          const stepIn = (cuts: ReadonlyArray<number>, value: number) => cuts.filter((cut) => cut <= value).length
          const ratio = (10_000 * application.loanAmt) / dollars
          expect(
            Object.fromEntries(
              scoreApplication(trainedModel, application).points.map((line) => [line.attribute, line.points])
            )
          ).toEqual({
            annualIncome: annualIncome.points[purpose][home][stepIn(annualIncome.cuts, dollars)]!,
            homeOwnership: homeOwnership[home][purpose],
            empLength: empLength.points[stepIn(empLength.cuts, application.empLength)]!,
            loanAmt: loanAmt.points[stepIn(loanAmt.cuts, application.loanAmt)]!,
            purpose: trainedModel.purpose[purpose],
            loanToIncome: loanToIncome.points[home][stepIn(loanToIncome.cuts, ratio)]!
          })
        }
      ),
      property()
    )
  })

  it("never falls with the income", () => {
    fc.assert(
      fc.property(anyApplication, anyIncome, (application, other) => {
        const [low, high] =
          other < application.annualIncome ? [other, application.annualIncome] : [application.annualIncome, other]
        neverLower({ ...application, annualIncome: low }, { ...application, annualIncome: high })
      }),
      property()
    )
  })

  it("never falls with the home's ownership", () => {
    fc.assert(
      fc.property(anyApplication, (application) =>
        neverLower({ ...application, homeOwnership: false }, { ...application, homeOwnership: true })
      ),
      property()
    )
  })

  it("never falls with the employment", () => {
    fc.assert(
      fc.property(anyApplication, anyYears, (application, other) => {
        const [less, more] = [Math.min(other, application.empLength), Math.max(other, application.empLength)]
        neverLower({ ...application, empLength: less }, { ...application, empLength: more })
      }),
      property()
    )
  })

  it("never rises with the loan", () => {
    fc.assert(
      fc.property(anyApplication, anyLoan, (application, other) => {
        const [small, large] = [Math.min(other, application.loanAmt), Math.max(other, application.loanAmt)]
        neverLower({ ...application, loanAmt: large }, { ...application, loanAmt: small })
      }),
      property()
    )
  })

  it("never gives more to one who has less of everything", () => {
    fc.assert(
      fc.property(anyApplication, anyApplication, (one, other) =>
        neverLower(
          {
            annualIncome: one.annualIncome < other.annualIncome ? one.annualIncome : other.annualIncome,
            homeOwnership: one.homeOwnership && other.homeOwnership,
            empLength: Math.min(one.empLength, other.empLength),
            loanAmt: Math.max(one.loanAmt, other.loanAmt),
            purpose: one.purpose
          },
          one
        )
      ),
      property()
    )
  })

  it("gives the same application the same score", () => {
    fc.assert(
      fc.property(anyApplication, (application) =>
        expect(scoreApplication(trainedModel, structuredClone(application))).toEqual(
          scoreApplication(trainedModel, application)
        )
      ),
      property()
    )
  })

  it("counts an unknown purpose as the riskiest", () => {
    const known = { ...APPLICATION, purpose: trainedModel.unknownPurpose }
    expect(scoreOf({ ...APPLICATION, purpose: null })).toBe(scoreOf(known))
    const purposes = PURPOSES.map((purpose) => trainedModel.purpose[purpose])
    expect(trainedModel.purpose[trainedModel.unknownPurpose]).toBe(Math.min(...purposes))
  })

  it("takes the ends of what can be asked", () => {
    const nobody = {
      annualIncome: fromUnits(0n),
      homeOwnership: false,
      empLength: 0,
      loanAmt: 2_147_483_647,
      purpose: null
    }
    const anybody = { annualIncome: MAX, homeOwnership: true, empLength: 80, loanAmt: 1, purpose: "venture" as const }
    expect(scoreOf(nobody)).toBe(300)
    expect(scoreOf(anybody)).toBeGreaterThan(650)
    expect(scoreOf({ ...nobody, annualIncome: fromUnits(ONE - 1n) })).toBe(300)
  })
})
