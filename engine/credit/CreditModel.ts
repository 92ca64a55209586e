import type { Purpose } from "./Purpose.ts"

/**
 * A table of points over a number: step k holds from cut k − 1 (included) to cut k (excluded).
 *
 * `points` has one entry more than `cuts`, which rise.
 */
export interface Steps {
  readonly cuts: ReadonlyArray<number>
  readonly points: ReadonlyArray<number>
}

/** Whether the home is the applicant's own (or mortgaged). */
export type Home = "tenant" | "owner"

/** Applications with like scores: what was predicted for them and what became of them. */
export interface CalibrationRow {
  readonly lowest: number
  readonly highest: number
  readonly applications: number
  /** Mean probability of default, in millionths. */
  readonly predicted: number
  /** Share that defaulted, in millionths. */
  readonly observed: number
}

/** What is known of a model's quality. Measured on the scores as they are given: whole and limited to the scale. */
export interface Evidence {
  /** SHA-256 of the file it was trained on. */
  readonly data: string
  readonly seed: string
  /** Applications in the file; those kept out of the training. */
  readonly applications: number
  readonly heldOut: number
  /** Probability that an application that was paid back has the higher score than one that was not. */
  readonly auc: number
  /** The same, measured inside the training data: the mean over its fifths, each held out once. */
  readonly crossValidatedAuc: number
  /** Mean squared difference of probability and outcome; `brierOfMean` is what saying the mean to all would give. */
  readonly brier: number
  readonly brierOfMean: number
  /** Tenths of the held-out applications, by score. */
  readonly calibration: ReadonlyArray<CalibrationRow>
}

/**
 * A scorecard as data: tables of whole points that are added up.
 *
 * Points are centred: 0 is the mean of the applications it was trained on, and `base` their mean score.
 */
export interface CreditModel {
  readonly version: string
  /** ISO date. */
  readonly trainedOn: string
  readonly base: number
  /** By whole USD a year; rising, and an owner's row is never below a tenant's. */
  readonly annualIncome: Pick<Steps, "cuts"> & {
    readonly points: Readonly<Record<Purpose, Readonly<Record<Home, ReadonlyArray<number>>>>>
  }
  /** An owner has at least a tenant's points, whatever the purpose. */
  readonly homeOwnership: Readonly<Record<Home, Readonly<Record<Purpose, number>>>>
  /** By completed years; rising. */
  readonly empLength: Steps
  /** By whole USD; falling. */
  readonly loanAmt: Steps
  readonly purpose: Readonly<Record<Purpose, number>>
  /** By the loan in 1/10,000 of a year's income; falling, and an owner's row is never below a tenant's. */
  readonly loanToIncome: Pick<Steps, "cuts"> & { readonly points: Readonly<Record<Home, ReadonlyArray<number>>> }
  /** The riskiest purpose, as which an unknown one counts. */
  readonly unknownPurpose: Purpose
  readonly evidence: Evidence
}

/**
 * The step of a table: how many of its cuts are reached. `reaches` holds for none, for the first few, or for all.
 */
export const stepOf = (cuts: ReadonlyArray<number>, reaches: (cut: number) => boolean): number => {
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (reaches(cuts[middle] ?? Number.NaN)) low = middle + 1
    else high = middle
  }
  return low
}
