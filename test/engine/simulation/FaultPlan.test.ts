import { describe, expect, it } from "bun:test"
import { describeFault, planFaults } from "../../../engine/simulation/FaultPlan.ts"

const HOUR = 3_600_000

describe("FaultPlan", () => {
  it("draws every kind of fault, each within the simulation", () => {
    const faults = planFaults(1, 100 * HOUR)
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(11)
    for (const { at } of faults) expect(at >= 0 && at < 100 * HOUR).toBe(true)
  })

  it("lets the oracle fail seldom in a long simulation, so that it trades", () => {
    const ofOracle = (seed: number, from: number, to: number) =>
      planFaults(seed, 100 * HOUR)
        .slice(from, to)
        .filter(({ kind }) => kind === "stall_oracle" || kind === "spike_oracle").length
    const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
    const sum = (from: number, to: number) => seeds.reduce((total, seed) => total + ofOracle(seed, from, to), 0)
    expect(sum(0, 24)).toBeGreaterThan(20)
    expect(sum(24, 2_424)).toBeGreaterThan(50)
    expect(sum(24, 2_424)).toBeLessThan(400)
    for (const seed of seeds) expect(ofOracle(seed, 25, 48)).toBe(0)
  })

  it("draws the same faults for the same seed, others for another", () => {
    expect(planFaults(1, HOUR)).toEqual(planFaults(1, HOUR))
    expect(planFaults(1, HOUR)).not.toEqual(planFaults(2, HOUR))
  })

  it("tells a fault in a line", () => {
    expect(describeFault({ index: 3, at: 5, kind: "fail_journal", half: true, times: 2 })).toBe(
      "fail journal, half true, times 2"
    )
  })
})
