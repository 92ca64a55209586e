import { describe, expect, it } from "bun:test"
import { createHash } from "node:crypto"
import { fifthOf, FIFTHS } from "../../../scripts/credit/Fifths.ts"
import { fitCard, judge, SETTINGS, train } from "../../../scripts/credit/CreditTraining.ts"
import { type LoanData, parseLoanRecords } from "../../../scripts/credit/LoanRecords.ts"
import { areaUnderCurve } from "../../../scripts/credit/Measures.ts"
import { faultsOf } from "../../lib/CreditCardCheck.ts"
import { madeLoans } from "../../lib/LoanRecordsMade.ts"

const text = madeLoans(1_500)
const data: LoanData = {
  records: parseLoanRecords(text),
  sha256: createHash("sha256").update(text).digest("hex")
}
const plan = { date: "2026-01-02", seed: "test", settings: { ...SETTINGS, rounds: 60, least: 2 } }

describe("train", () => {
  const model = train(data, plan)

  it("gives the same model again", () => {
    expect(train(structuredClone(data), plan)).toEqual(model)
  })

  it("gives another model, and version, for another seed, date or data", () => {
    expect(train(data, { ...plan, seed: "other" }).version).not.toBe(model.version)
    expect(train(data, { ...plan, date: "2026-01-03" }).version).toBe(model.version.replace("02-", "03-"))
    expect(train({ ...data, records: data.records.slice(100) }, plan).version).not.toBe(model.version)
  })

  it("gives whole and monotone tables", () => {
    expect(faultsOf(model)).toEqual([])
  })

  it("says what it was trained on and how well it does", () => {
    const { evidence, trainedOn } = model
    const heldOut = data.records.filter(({ line }) => fifthOf("test", line) === 0)
    expect(trainedOn).toBe("2026-01-02")
    expect(evidence).toMatchObject({ data: data.sha256, seed: "test", applications: 1_500, heldOut: heldOut.length })
    expect(evidence.auc).toBeCloseTo(areaUnderCurve(judge(model, heldOut)), 4)
    expect(evidence.auc).toBeGreaterThan(0.7)
    expect(evidence.crossValidatedAuc).toBeGreaterThan(0.7)
    expect(evidence.brier).toBeLessThan(evidence.brierOfMean)
  })

  it("has monotone tables even where the data says the opposite", () => {
    const opposite = data.records.map((record) => ({ ...record, paidBack: !record.paidBack }))
    const card = fitCard(opposite, plan.settings)
    expect(faultsOf(card)).toEqual([])
    expect(card.loanToIncome.cuts.length).toBeLessThan(model.loanToIncome.cuts.length)
  })
})

describe("fifthOf", () => {
  it("divides evenly by line alone", () => {
    const counts = Array.from(
      { length: FIFTHS },
      (_, fifth) => data.records.filter(({ line }) => fifthOf("test", line) === fifth).length
    )
    for (const count of counts) expect(count).toBeWithin(230, 370)
    expect(fifthOf("test", "a")).toBe(fifthOf("test", "a"))
  })
})
