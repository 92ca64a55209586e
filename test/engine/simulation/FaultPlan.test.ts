import { describe, expect, it } from "bun:test"
import { describeFault, planFaults } from "../../../engine/simulation/FaultPlan.ts"

const HOUR = 3_600_000

describe("FaultPlan", () => {
  it("draws every kind of fault, each within the simulation", () => {
    const faults = planFaults(1, 10 * HOUR)
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(11)
    for (const { at } of faults) expect(at >= 0 && at < 10 * HOUR).toBe(true)
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
