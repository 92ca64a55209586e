import { describe, expect, it } from "bun:test"
import { MOST_ASSESSMENTS_A_DAY } from "../../../../engine/credit/CreditDecision.ts"
import { CreditDesk } from "../../../../engine/simulation/platform/CreditDesk.ts"
import { BUYER, companyWorld } from "../../../lib/CompanyWorld.ts"

describe("CreditDesk", () => {
  it("scores as often as a day allows, and refuses what is no income", () => {
    const { served, world } = companyWorld()
    const desk = new CreditDesk(world)
    const assess = (income: number, key: string) =>
      served(desk.assess(BUYER, { act: "assess", income, loan: 5_000, times: 1 }, key))
    expect(assess(-1, "no")).toBe("InvalidApplication")
    for (let count = 0; count < MOST_ASSESSMENTS_A_DAY; count++)
      expect(assess(90_000, `${count}`)).toBe("CreditAssessed")
    expect(assess(90_000, "more")).toBe("TooManyAssessments")
    expect(world.account("usr_co_1/USD-CREDIT/credit_limit").balance > 0n).toBe(true)
    expect(desk.isOverhanging(BUYER)).toBe(false)
  })
})
