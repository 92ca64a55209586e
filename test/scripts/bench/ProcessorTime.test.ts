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

  it("never falls when a thread ends", async () => {
    const code = "const until = performance.now() + 30; while (performance.now() < until);"
    const worker = new Worker(URL.createObjectURL(new Blob([`${code} postMessage(1)`])))
    await new Promise((resolve) => worker.addEventListener("message", resolve))
    const before = processorMicros([process.pid])
    const closed = new Promise((resolve) => worker.addEventListener("close", resolve))
    worker.terminate()
    await closed
    const after = processorMicros([process.pid])
    if (before === undefined) expect(after).toBeUndefined()
    else expect(after).toBeGreaterThanOrEqual(before)
  })

  it("is unknown of a process that is not there", () => {
    expect(processorMicros([2 ** 30])).toBeUndefined()
  })
})
