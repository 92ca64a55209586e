import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import type { CreditApplication } from "./CreditApplication.ts"
import type { CreditModel } from "./CreditModel.ts"
import { annualRate, bandOf, creditLimit, BANDS } from "./CreditPolicy.ts"
import { CreditReason, reasonsOf } from "./CreditReason.ts"
import { Attribute, scoreApplication } from "./CreditScore.ts"
import { defaultProbability } from "./DefaultProbability.ts"

/** A line of a card. `base` is the mean applicant's score; `scale` keeps the sum between 300 and 850. */
export const CardLine = Schema.Struct({
  attribute: Schema.Union([Attribute, Schema.Literals(["base"]), Schema.Literals(["scale"])]),
  points: Schema.Int
})
export type CardLine = typeof CardLine.Type

/** The answer to a credit request. Equal applications have equal cards, but for their time. */
export const ScoreCard = Schema.Struct({
  /** From 300 to 850: 600 at odds of 19:1, and 50 points double the odds. */
  score: Schema.Int,
  /** That the credit is not paid back, in millionths. */
  defaultProbability: Schema.Int,
  band: Schema.Literals(BANDS),
  /** USD; 0 when nothing is granted. It replaces the limit before. */
  limit: Amount,
  /** In 1/10,000 a year. */
  apr: Schema.Int,
  /** They add up to the score. `scale` is there only where it is not 0. */
  points: Schema.Array(CardLine),
  /** What cost most, the costliest first: at most four. */
  reasons: Schema.Array(CreditReason),
  modelVersion: Schema.String,
  /** Milliseconds since 1970. */
  assessedAt: Schema.Int
})
export type ScoreCard = typeof ScoreCard.Type

/** Assesses an application (Specification 2.8) at a time in milliseconds. Pure: it asks nobody and remembers nothing. */
export const assess = (model: CreditModel, application: CreditApplication, at: number): ScoreCard => {
  const scored = scoreApplication(model, application)
  const { score, base, scale } = scored
  const probability = defaultProbability(score - scale)
  const lines: ReadonlyArray<CardLine> = [
    { attribute: "base", points: base },
    ...scored.points.map(({ attribute, points }) => ({ attribute, points }))
  ]
  return {
    score,
    defaultProbability: probability,
    band: bandOf(score),
    limit: creditLimit(score, application.annualIncome, application.loanAmt),
    apr: annualRate(probability),
    points: scale === 0 ? lines : [...lines, { attribute: "scale", points: scale }],
    reasons: reasonsOf(scored, application),
    modelVersion: model.version,
    assessedAt: at
  }
}
