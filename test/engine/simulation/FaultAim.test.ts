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

  it("puts a pair beside others in the next rounds", () => {
    const beside = (kind: string, before: string) =>
      Array.from({ length: 1_000 }, (_, seed) => aimsOf(seed, FAULT_KINDS, REACHABLE_EVENTS))
        .filter((aims) => aims.some((aim) => aim.kind === kind && aim.before === before))
        .map((aims) => JSON.stringify(aims))
    const all = beside("stall_oracle", "WinnerChosen")
    expect(all.length).toBeGreaterThanOrEqual(5)
    expect(new Set(all.slice(0, 5)).size).toBe(5)
  })

  it("aims at nothing where nothing can come", () => {
    expect(aimsOf(1, FAULT_KINDS, [])).toEqual([])
  })
})
