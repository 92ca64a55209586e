import { describe, expect, it } from "bun:test"
import { trainedModel } from "../../../engine/credit/TrainedModel.ts"
import { faultsOf } from "../../lib/CreditCardCheck.ts"

const { trainedOn, evidence, ...card } = trainedModel
describe("The committed model", () => {
  it("is whole and monotone, table by table", () => {
    expect(faultsOf(card)).toEqual([])
  })

  it("would not pass with a table out of order", () => {
    const { empLength, homeOwnership } = card
    expect(faultsOf({ ...card, empLength: { ...empLength, points: empLength.points.toReversed() } })).toHaveLength(1)
    expect(faultsOf({ ...card, empLength: { ...empLength, cuts: [3, 2] } })).toHaveLength(1)
    expect(faultsOf({ ...card, loanAmt: { ...card.loanAmt, points: [1.5] } })).toHaveLength(1)
    expect(
      faultsOf({ ...card, homeOwnership: { tenant: homeOwnership.owner, owner: homeOwnership.tenant } })
    ).not.toEqual([])
  })

  it("separates as well as it must, and says what it was measured on", () => {
    expect(evidence.auc).toBeGreaterThanOrEqual(0.82)
    expect(evidence.crossValidatedAuc).toBeGreaterThanOrEqual(0.82)
    expect(evidence.brier).toBeLessThan(evidence.brierOfMean)
    expect(evidence.data).toMatch(/^[0-9a-f]{64}$/)
    expect(trainedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(evidence.calibration.reduce((sum, { applications }) => sum + applications, 0)).toBe(evidence.heldOut)
    expect(evidence.heldOut / evidence.applications).toBeCloseTo(0.2, 1)
  })

  it("is calibrated: predicted and observed defaults lie close, and both fall with the score", () => {
    for (const [index, { predicted, observed, lowest, highest }] of evidence.calibration.entries()) {
      expect(Math.abs(predicted - observed)).toBeLessThan(50_000)
      expect(lowest).toBeLessThanOrEqual(highest)
      const before = evidence.calibration[index - 1]
      if (before === undefined) continue
      expect(lowest).toBeGreaterThanOrEqual(before.highest)
      expect(predicted).toBeLessThan(before.predicted)
    }
  })
})
