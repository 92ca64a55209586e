import { describe, expect, it } from "bun:test"
import { sim } from "../lib/SimCommand.ts"

describe("npm run sim over many seeds", () => {
  it("gives the same hash over many seeds, however many run side by side", () => {
    const given = ["--seeds", "6", "--seed", "30", "--orders", "4", "--traders", "3", "--faults"]
    const [alone, both] = ["1", "2"].map((jobs) => sim(...given, "--jobs", jobs))
    const hash = alone?.out.match(/^sweep hash +([0-9a-f]{64})$/m)?.[1]
    expect(hash).toBeDefined()
    expect(both?.out).toContain(`sweep hash    ${hash}`)
    expect(both?.out).toMatch(/^seeds +6 from 30, 0 failed$/m)
    expect(both?.out).toMatch(/^speed +\d+ events\/s of wall time, [\d.]+ s, jobs 2$/m)
    expect([alone?.code, both?.code]).toEqual([0, 0])
  })
})
