import { Schema } from "effect"
import type { CreditApplication } from "./CreditApplication.ts"
import { Attribute, type CreditScore } from "./CreditScore.ts"

/** A cause of a score that is not the highest. */
export const CreditReason = Schema.Struct({
  /** The attribute, or `unknownPurpose`. */
  code: Schema.Union([Attribute, Schema.Literals(["unknownPurpose"])]),
  text: Schema.String,
  /** Points that the attribute's best would add. */
  points: Schema.Int
})
export type CreditReason = typeof CreditReason.Type

export const MOST_REASONS = 4

/** What costs fewer points is no cause worth telling: a tenth of what doubles the odds. */
export const LEAST_POINTS = 5

const TEXTS: Readonly<Record<CreditReason["code"], string>> = {
  annualIncome: "The annual income is low for this purpose.",
  homeOwnership: "The home is neither owned nor mortgaged.",
  empLength: "The time in the current employment is short.",
  loanAmt: "The amount asked for is large.",
  purpose: "Credits for this purpose are paid back less often than others.",
  loanToIncome: "The amount asked for is large in relation to the annual income.",
  unknownPurpose: "The purpose is not a known one, so it counts as the riskiest."
}

/** The attributes that cost most, the costliest first: at most {@link MOST_REASONS}. */
export const reasonsOf = (score: CreditScore, application: CreditApplication): ReadonlyArray<CreditReason> =>
  score.points
    .map(({ attribute, points, best }) => ({ attribute, lost: best - points }))
    .filter(({ lost }) => lost >= LEAST_POINTS)
    .toSorted((a, b) => b.lost - a.lost)
    .slice(0, MOST_REASONS)
    .map(({ attribute, lost }) => {
      const code = attribute === "purpose" && application.purpose === null ? "unknownPurpose" : attribute
      return { code, text: TEXTS[code], points: lost }
    })
