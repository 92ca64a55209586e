import { describe, expect, it } from "bun:test"
import { AIMS, aimsOf } from "../../../engine/simulation/FaultAim.ts"
import { FAULT_KINDS } from "../../../engine/simulation/FaultPlan.ts"
import { REACHABLE_EVENTS } from "../../../engine/simulation/ReachableEvents.ts"

describe("aimsOf", () => {
  it("comes to every pair, and as often to one as to another", () => {
    const pairs = FAULT_KINDS.length * REACHABLE_EVENTS.length
    const seeds = Array.from({ length: pairs }, (_, seed) => seed)
    const aims = seeds.flatMap((seed) => aimsOf(seed, FAULT_KINDS, REACHABLE_EVENTS))
    const counts = new Map<string, number>()
    for (const { before, kind } of aims) counts.set(`${kind} ${before}`, (counts.get(`${kind} ${before}`) ?? 0) + 1)
    expect(counts.size).toBe(pairs)
    expect(new Set(counts.values())).toEqual(new Set([AIMS]))
  })

  it("aims at nothing where nothing can come", () => {
    expect(aimsOf(1, FAULT_KINDS, [])).toEqual([])
  })
})
