import { Schema } from "effect"
import { ONE } from "../money/Amount.ts"
import type { CreditApplication } from "./CreditApplication.ts"
import { type CreditModel, type Home, stepOf } from "./CreditModel.ts"
import { onScale } from "./DefaultProbability.ts"
import { PURPOSES } from "./Purpose.ts"

/** What points are given for: the fields of Specification 2.8, and the loan in relation to the income. */
export const Attribute = Schema.Literals([
  "annualIncome",
  "homeOwnership",
  "empLength",
  "loanAmt",
  "purpose",
  "loanToIncome"
])
export type Attribute = typeof Attribute.Type

/** The points of one attribute, and the most that it can give an applicant who is otherwise the same. */
export interface AttributePoints {
  readonly attribute: Attribute
  readonly points: number
  readonly best: number
}

/**
 * A score and where it comes from: `score` = `base` + the sum of `points` + `scale`.
 *
 * Another income, employment or home never lowers it when it is more, nor does a larger loan raise it.
 */
export interface CreditScore {
  /** From 300 to 850. */
  readonly score: number
  readonly base: number
  readonly points: ReadonlyArray<AttributePoints>
  /** What keeps the score on its scale; nearly always 0. */
  readonly scale: number
}

/** Ratios are compared in 1/10,000. */
const RATIO_ONE = 10_000

const most = (points: ReadonlyArray<number>): number => points.reduce((best, one) => (one > best ? one : best))

const attribute = (name: Attribute, row: ReadonlyArray<number>, step: number): AttributePoints => ({
  attribute: name,
  points: row[step] ?? Number.NaN,
  best: most(row)
})

/** Adds up an application's points. Whole numbers throughout, so that every runtime gives the same. */
export const scoreApplication = (model: CreditModel, application: CreditApplication): CreditScore => {
  const { empLength, loanAmt } = application
  const income = Number(application.annualIncome / ONE)
  const purpose = application.purpose ?? model.unknownPurpose
  const home: Home = application.homeOwnership ? "owner" : "tenant"
  const { annualIncome, homeOwnership, loanToIncome } = model
  const points = [
    attribute(
      "annualIncome",
      annualIncome.points[purpose][home],
      stepOf(annualIncome.cuts, (cut) => income >= cut)
    ),
    {
      attribute: "homeOwnership" as const,
      points: homeOwnership[home][purpose],
      best: homeOwnership.owner[purpose]
    },
    attribute(
      "empLength",
      model.empLength.points,
      stepOf(model.empLength.cuts, (cut) => empLength >= cut)
    ),
    attribute(
      "loanAmt",
      model.loanAmt.points,
      stepOf(model.loanAmt.cuts, (cut) => loanAmt >= cut)
    ),
    {
      attribute: "purpose" as const,
      points: model.purpose[purpose],
      best: most(PURPOSES.map((one) => model.purpose[one]))
    },
    attribute(
      "loanToIncome",
      loanToIncome.points[home],
      stepOf(loanToIncome.cuts, (cut) => loanAmt * RATIO_ONE >= cut * income)
    )
  ]
  const total = points.reduce((sum, one) => sum + one.points, model.base)
  const score = onScale(total)
  return { score, base: model.base, points, scale: score - total }
}
