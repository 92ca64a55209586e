import { describe, expect, it } from "bun:test"
import { PLANTED_PLATFORM_BUGS, withCompanies } from "../../../lib/PlantedPlatformBugs.ts"
import { simulated } from "../../../lib/Simulations.ts"

describe("auditDeliveries", () => {
  it("finds that deliveries are dropped, or made twice", () => {
    const { planted } = PLANTED_PLATFORM_BUGS.find(({ invariant }) => invariant === "deliveries")!
    const small = { ...withCompanies(1), companies: 4, strikes: [] }
    const broken = [1, 2, 3].map((seed) => simulated({ ...small, seed }, planted).violation?.invariant)
    expect(broken).toContain("deliveries")
    const twice = simulated(small, {
      companies: { deliveries: (made) => made.flatMap((one) => [one, { ...one, id: `${one.id}/again` }]) }
    })
    expect(twice.violation?.invariant).toBe("deliveries")
  })
})
