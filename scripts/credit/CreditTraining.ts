import { createHash } from "node:crypto"
import type { CreditApplication } from "../../engine/credit/CreditApplication.ts"
import type { CreditModel } from "../../engine/credit/CreditModel.ts"
import { scoreApplication } from "../../engine/credit/CreditScore.ts"
import { defaultProbability } from "../../engine/credit/DefaultProbability.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { cutsOf, gridsOf } from "./CreditGrids.ts"
import { FIFTHS, fifthOf, HELD_OUT } from "./Fifths.ts"
import type { LoanData, LoanRecord } from "./LoanRecords.ts"
import { areaUnderCurve, brierScore, calibration, type Judged } from "./Measures.ts"
import { type BoostingSettings, boost } from "./MonotoneBoosting.ts"
import { type PointsCard, pointsCard } from "./PointsCard.ts"

export interface TrainingPlan {
  /** ISO date that the model bears. */
  readonly date: string
  readonly seed: string
  readonly settings: BoostingSettings
}

/** Chosen by cross-validation inside the training data; the held-out fifth was not looked at. */
export const SETTINGS: BoostingSettings = { rounds: 1_000, rate: 0.1, ridge: 5, least: 15 }

export const SEED = "emporion-credit-1"

const CALIBRATION_PARTS = 10
const MILLION = 1_000_000

/** The application that a record was. */
export const applicationOf = ({
  annualIncome,
  homeOwnership,
  empLength,
  loanAmt,
  purpose
}: LoanRecord): CreditApplication => ({
  annualIncome: fromUnits(BigInt(annualIncome) * ONE),
  homeOwnership,
  empLength,
  loanAmt,
  purpose
})

/** Fits a card to the records. */
export const fitCard = (records: ReadonlyArray<LoanRecord>, settings: BoostingSettings): PointsCard => {
  const cuts = cutsOf(records)
  const named = gridsOf(cuts, records)
  const { homeByIncomeOf, ...single } = named
  const grids = [...Object.values(single), ...Object.values(homeByIncomeOf)]
  const { base, tables } = boost(
    grids,
    records.map(({ paidBack }) => paidBack),
    settings
  )
  return pointsCard(named, cuts, { base, valuesOf: (grid) => tables[grids.indexOf(grid)]! })
}

const unnamed: Pick<CreditModel, "version" | "trainedOn" | "evidence"> = {
  version: "",
  trainedOn: "",
  evidence: {
    data: "",
    seed: "",
    applications: 0,
    heldOut: 0,
    auc: 0,
    crossValidatedAuc: 0,
    brier: 0,
    brierOfMean: 0,
    calibration: []
  }
}

/** What a card says of records, beside what became of them. */
export const judge = (card: PointsCard, records: ReadonlyArray<LoanRecord>): ReadonlyArray<Judged> =>
  records.map((record) => {
    const { score, scale } = scoreApplication({ ...unnamed, ...card }, applicationOf(record))
    return { score, probability: defaultProbability(score - scale) / MILLION, paidBack: record.paidBack }
  })

const fourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000
const millionths = (value: number): number => Math.round(value * MILLION)

/** The first eight digits of SHA-256 over the card, so that two cards never share a version. */
export const versionOf = (date: string, card: PointsCard): string =>
  `${date}-${createHash("sha256").update(JSON.stringify(card)).digest("hex").slice(0, 8)}`

/**
 * Trains a model on four fifths of the data and measures it on the last one. The same data and plan give the same model.
 */
export const train = ({ records, sha256 }: LoanData, { date, seed, settings }: TrainingPlan): CreditModel => {
  const fifths = records.map(({ line }) => fifthOf(seed, line))
  const part = (wanted: (fifth: number) => boolean) => records.filter((_, record) => wanted(fifths[record]!))
  const training = part((fifth) => fifth !== HELD_OUT)
  const heldOut = part((fifth) => fifth === HELD_OUT)
  const card = fitCard(training, settings)
  const judged = judge(card, heldOut)
  const inner = Array.from({ length: FIFTHS }, (_, fifth) => fifth).filter((fifth) => fifth !== HELD_OUT)
  const areas = inner.map((left) => {
    const rest = fitCard(
      part((fifth) => fifth !== HELD_OUT && fifth !== left),
      settings
    )
    return areaUnderCurve(
      judge(
        rest,
        part((fifth) => fifth === left)
      )
    )
  })
  const share = training.filter(({ paidBack }) => !paidBack).length / training.length
  return {
    version: versionOf(date, card),
    trainedOn: date,
    ...card,
    evidence: {
      data: sha256,
      seed,
      applications: records.length,
      heldOut: heldOut.length,
      auc: fourDecimals(areaUnderCurve(judged)),
      crossValidatedAuc: fourDecimals(areas.reduce((sum, area) => sum + area, 0) / areas.length),
      brier: fourDecimals(brierScore(judged)),
      brierOfMean: fourDecimals(brierScore(judged.map(({ paidBack }) => ({ probability: share, paidBack })))),
      calibration: calibration(judged, CALIBRATION_PARTS).map(({ predicted, observed, ...bucket }) => ({
        ...bucket,
        predicted: millionths(predicted),
        observed: millionths(observed)
      }))
    }
  }
}
