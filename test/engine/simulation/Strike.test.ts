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
    const problems: ReadonlyArray<readonly [unknown, string]> = [
      [{ kind: "earthquake" }, "Expected a kind of crash_actor, restart, "],
      [{ kind: "crash_actor", moment: "never" }, "moment takes before, waiting or after"],
      [{ kind: "stall_oracle", for: -1 }, "for takes a whole number from 1 to 86400000"],
      [{ kind: "delay", for: 10, by: 0.5 }, "by takes a whole number from 1 to 86400000"],
      [{ kind: "delay", for: 10 }, "delay needs for and by"],
      [{ kind: "fail_journal", half: 1, times: 1 }, "half takes true or false"],
      [{ kind: "fail_journal", half: true, times: 0 }, "times takes a whole number from 1 to 1000"],
      [{ kind: "spike_oracle", for: 10, factor: Number.NaN }, "factor takes a whole number from 1 to 1000000000"],
      ["restart", "Expected a kind of "],
      [null, "Expected a kind of "]
    ]
    for (const [given, problem] of problems) {
      const read = readStrike(given)
      expect(Result.isFailure(read) ? read.failure : read.success).toStartWith(problem)
    }
  })
})
