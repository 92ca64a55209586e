import { describe, expect, it } from "bun:test"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { versionOf } from "../../../scripts/credit/CreditTraining.ts"
import { moduleOf } from "../../../scripts/credit/ModelFile.ts"
import { textOf } from "../../tidy/Source.ts"

const { version, trainedOn, evidence, ...card } = trainedModel

describe("The committed model's file", () => {
  it("is what was trained, touched by no hand", () => {
    expect(versionOf(trainedOn, card)).toBe(version)
    expect(textOf("engine/credit/TrainedModel.ts")).toBe(moduleOf(trainedModel))
  })

  it("is described with these figures", () => {
    const page = textOf("docs/concepts/credit.md") ?? ""
    const percent = (millionths: number): string => `${(millionths / 10_000).toFixed(1)} %`
    const { auc, crossValidatedAuc, brier, brierOfMean, calibration } = evidence
    for (const figure of [version, auc, crossValidatedAuc, brier, brierOfMean]) expect(page).toContain(String(figure))
    for (const { lowest, highest, predicted, observed } of calibration) {
      expect(page).toContain(`| ${lowest}–${highest} | ${percent(predicted)} | ${percent(observed)} |`)
    }
  })
})
