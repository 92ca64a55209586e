import type { CreditModel } from "../../engine/credit/CreditModel.ts"

const percent = (millionths: number): string => `${(millionths / 10_000).toFixed(1)} %`

/** A model's evidence as text for a terminal. */
export const describeModel = ({ version, trainedOn, evidence }: CreditModel): string => {
  const { applications, heldOut, auc, crossValidatedAuc, brier, brierOfMean, calibration, data, seed } = evidence
  return [
    `model      ${version}, trained on ${trainedOn}`,
    `data       ${applications} applications, ${heldOut} held out by seed ${seed}; SHA-256 ${data}`,
    `AUC        ${auc.toFixed(4)} held out, ${crossValidatedAuc.toFixed(4)} cross-validated in the training data`,
    `Brier      ${brier.toFixed(4)} (the mean for all: ${brierOfMean.toFixed(4)})`,
    "",
    "score      applications  predicted  observed",
    ...calibration.map((row) =>
      [
        `${row.lowest}–${row.highest}`.padEnd(9),
        String(row.applications).padStart(14),
        percent(row.predicted).padStart(11),
        percent(row.observed).padStart(10)
      ].join("")
    ),
    ""
  ].join("\n")
}
