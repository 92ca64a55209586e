import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { planFaults } from "../../../engine/simulation/FaultPlan.ts"
import { readStrike } from "../../../engine/simulation/Strike.ts"

describe("A strike", () => {
  it("is whatever the shipped faults do", () => {
    const faults = Array.from({ length: 20 }, (_, seed) => planFaults(seed, 600_000, ["OrderOpened"])).flat()
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(11)
    for (const fault of faults) {
      const { at: _at, before: _before, index: _index, ...strike } = fault
      expect(Result.getOrThrow(readStrike(fault))).toEqual(strike)
    }
  })

  it("has a kind that there is, and numbers that make sense", () => {
    const problems = [
      { kind: "earthquake" },
      { kind: "crash_actor", moment: "never" },
      { kind: "stall_oracle", for: -1 },
      { kind: "delay", for: 10, by: 0.5 },
      { kind: "fail_journal", half: true, times: 0 },
      { kind: "spike_oracle", for: 10, factor: Number.NaN },
      "restart",
      null
    ].map(readStrike)
    expect(problems.filter(Result.isSuccess)).toEqual([])
  })
})
