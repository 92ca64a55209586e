import type { Amount } from "../money/Amount.ts"
import type { CreditApplication } from "./CreditApplication.ts"
import type { CreditModel } from "./CreditModel.ts"
import { annualRate, type Band, bandOf, creditLimit } from "./CreditPolicy.ts"
import { type CreditReason, reasonsOf } from "./CreditReason.ts"
import { type Attribute, scoreApplication } from "./CreditScore.ts"
import { defaultProbability } from "./DefaultProbability.ts"

/** A line of a card. `base` is the mean applicant's score; `scale` keeps the sum between 300 and 850. */
export interface CardLine {
  readonly attribute: Attribute | "base" | "scale"
  readonly points: number
}

/** The answer to a credit request. Equal applications have equal cards, but for their time. */
export interface ScoreCard {
  /** From 300 to 850: 600 at odds of 19:1, and 50 points double the odds. */
  readonly score: number
  /** That the credit is not paid back, in millionths. */
  readonly defaultProbability: number
  readonly band: Band
  /** USD; 0 when nothing is granted. It replaces the limit before. */
  readonly limit: Amount
  /** In 1/10,000 a year. */
  readonly apr: number
  /** They add up to the score. `scale` is there only where it is not 0. */
  readonly points: ReadonlyArray<CardLine>
  /** What cost most, the costliest first: at most four. */
  readonly reasons: ReadonlyArray<CreditReason>
  readonly modelVersion: string
  /** Milliseconds since 1970. */
  readonly assessedAt: number
}

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
