import type { Band } from "../../../../engine/credit/CreditPolicy.ts"
import { HIGHEST_SCORE, LOWEST_SCORE } from "../../../../engine/credit/DefaultProbability.ts"
import type { CardLine } from "../../../../engine/credit/ScoreCard.ts"

/** Where a score lies between the lowest (0) and the highest (1). */
export const scorePosition = (score: number): number =>
  Math.min(1, Math.max(0, (score - LOWEST_SCORE) / (HIGHEST_SCORE - LOWEST_SCORE)))

const BAND_WORDS: Readonly<Record<Band, string>> = {
  A: "Excellent",
  B: "Good",
  C: "Fair",
  D: "Weak",
  E: "No credit"
}

/** A band as a word. */
export const bandWord = (band: Band): string => BAND_WORDS[band]

const ATTRIBUTES: Readonly<Record<CardLine["attribute"], string>> = {
  base: "Mean applicant",
  annualIncome: "Annual income",
  homeOwnership: "Home ownership",
  empLength: "Years employed",
  loanAmt: "Amount asked for",
  purpose: "Purpose",
  loanToIncome: "Amount in relation to income",
  scale: "Bounds of the scale"
}

const isAttribute = (attribute: string): attribute is CardLine["attribute"] => Object.hasOwn(ATTRIBUTES, attribute)

/** What an attribute of a score card is called. */
export const attributeLabel = (attribute: string): string =>
  isAttribute(attribute) ? ATTRIBUTES[attribute] : attribute

/** An attribute's points as a bar: `share` of the longest one, from 0 to 1. */
export interface PointsBar {
  readonly label: string
  readonly points: number
  readonly share: number
}

/** The points of a card as bars, in their sequence. */
export const pointsBars = (
  points: ReadonlyArray<{ readonly attribute: string; readonly points: number }>
): ReadonlyArray<PointsBar> => {
  const longest = Math.max(1, ...points.map((one) => Math.abs(one.points)))
  return points.map((one) => ({
    label: attributeLabel(one.attribute),
    points: one.points,
    share: Math.abs(one.points) / longest
  }))
}
