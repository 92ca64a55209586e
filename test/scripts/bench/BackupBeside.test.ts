import { describe, expect, it } from "bun:test"
import { recoveryPoint } from "../../../scripts/bench/BackupBeside.ts"

describe("The recovery point", () => {
  it("is the age of the moment that the last backup has when the next one ends, or what one takes", () => {
    const made = [
      { madeAt: 1_000, endedAt: 1_900 },
      { madeAt: 2_000, endedAt: 2_100 },
      { madeAt: 3_100, endedAt: 3_250 }
    ]
    expect(recoveryPoint(made)).toBe(1_250)
    expect(recoveryPoint(made.slice(0, 1))).toBe(900)
  })
})
