import { describe, expect, it } from "bun:test"
import { withCompanies } from "../../../lib/PlantedPlatformBugs.ts"
import { simulated } from "../../../lib/Simulations.ts"

const SEEDS = 4

describe("CompanyDesks", () => {
  it(`keeps every rule under faults, for ${SEEDS} seeds, and answers and refuses in every context`, () => {
    const answers = new Set<string>()
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { companyResponses = {}, violation } = simulated(withCompanies(seed))
      expect(violation).toBeNull()
      for (const answer of Object.keys(companyResponses)) answers.add(answer)
    }
    for (const context of ["commerce", "credit", "payments", "subscriptions", "transfers"]) {
      expect([...answers].filter((answer) => answer.startsWith(`${context}/`)).length).toBeGreaterThan(0)
    }
    expect([...answers]).toEqual(
      expect.arrayContaining(["PurchaseOrderPlaced", "PaymentCreated", "MoneyTransferred", "Replayed", "Unanswered"])
    )
  })

  it("gives the same bytes for the same seed, judged or not, and without companies those of before", () => {
    const spec = withCompanies(3)
    const result = simulated(spec)
    expect(simulated(spec)).toEqual(result)
    const { companies: _, ...without } = spec
    expect(simulated({ ...without, companies: 0 }).eventsHash).toBe(simulated(without).eventsHash)
    expect(simulated(without).companyResponses).toBeUndefined()
  })
})
