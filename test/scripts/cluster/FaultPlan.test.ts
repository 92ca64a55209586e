import { describe, expect, it } from "bun:test"
import { faultPlan, FAULTS, kindOf, type PlannedFault } from "../../../scripts/cluster/FaultPlan.ts"

const planned = (seed: number, steps: number): ReadonlyArray<PlannedFault> => {
  const plan = faultPlan(seed)
  return Array.from({ length: steps }, () => plan.next().value)
}

describe("FaultPlan", () => {
  it("gives the same faults for the same seed, and others for another", () => {
    expect(planned(7, 100)).toEqual(planned(7, 100))
    expect(planned(7, 100)).not.toEqual(planned(8, 100))
  })

  it("has every kind in each round", () => {
    const round = FAULTS.length + 1
    for (const begin of [0, round, 2 * round]) {
      const kinds = planned(3, 3 * round)
        .slice(begin, begin + round)
        .map(({ kinds: [first] }) => first)
      expect(new Set(kinds)).toEqual(new Set(FAULTS))
    }
  })

  it("has no other kinds than those that are asked for", () => {
    const kinds = ["SIGKILL to the writer", "an edge stopped"] as const
    const plan = faultPlan(9, kinds)
    const steps = Array.from({ length: 40 }, () => plan.next().value)
    expect(new Set(steps.flatMap((step) => step.kinds))).toEqual(new Set(kinds))
  })

  it("stops for 1 to 15 seconds, and does two different things at once now and then", () => {
    const steps = planned(5, 1_000)
    expect(Math.min(...steps.map(({ stopped }) => stopped))).toBeGreaterThanOrEqual(1_000)
    expect(Math.max(...steps.map(({ stopped }) => stopped))).toBeLessThanOrEqual(15_000)
    const pairs = steps.filter((step) => kindOf(step) === "two at once")
    expect(pairs.length).toBeGreaterThan(100)
    expect(pairs.length).toBeLessThan(350)
    for (const { kinds } of pairs) expect(new Set(kinds).size).toBe(2)
    expect(pairs.some(({ kinds }) => kinds.includes("SIGTERM to each in turn"))).toBe(false)
  })
})
