import { describe, expect, it } from "bun:test"
import { processorMicros } from "../../../scripts/bench/ProcessorTime.ts"

describe("processorMicros", () => {
  it("grows with what a process does, or is unknown", () => {
    const before = processorMicros([process.pid])
    const until = performance.now() + 30
    let turns = 0
    while (performance.now() < until) turns += 1
    const after = processorMicros([process.pid])
    expect(turns).toBeGreaterThan(0)
    if (before === undefined) expect(after).toBeUndefined()
    else expect(after).toBeGreaterThan(before)
  })

  it("is unknown of a process that is not there", () => {
    expect(processorMicros([2 ** 30])).toBeUndefined()
  })
})
