import { describe, expect, it } from "bun:test"
import { describeNodeFault, planNodeFaults } from "../../../engine/simulation/NodeFaultPlan.ts"

describe("NodeFaultPlan", () => {
  it("strikes within the simulation, at nodes that are there, in every way", () => {
    const faults = Array.from({ length: 60 }, (_, seed) => planNodeFaults(seed, 3, 6_000)).flat()
    expect(faults.every(({ at }) => at >= 0 && at < 6_000)).toBe(true)
    const nodes = faults.flatMap((fault) => ("node" in fault ? [fault.node] : []))
    expect(new Set(nodes)).toEqual(new Set(["writer", 0, 1, 2]))
    expect(new Set(faults.map(({ kind }) => kind)).size).toBe(12)
  })

  it("is told in a line", () => {
    expect(describeNodeFault({ index: 1, at: 5, kind: "pause", node: "writer", for: 20 })).toBe(
      "pause, node writer, for 20"
    )
  })
})
