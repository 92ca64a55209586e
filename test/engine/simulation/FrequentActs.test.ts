import { describe, expect, it } from "bun:test"
import { AIMS, aimsOf } from "../../../engine/simulation/FaultAim.ts"
import { FAULT_KINDS } from "../../../engine/simulation/FaultPlan.ts"
import { FASHIONS, fashionsOf } from "../../../engine/simulation/FrequentActs.ts"
import { eventsWith, REACHABLE_EVENTS } from "../../../engine/simulation/ReachableEvents.ts"

const POPULATION = { bots: 3, companies: 5 }
const SEEDS = Array.from({ length: 600 }, (_, seed) => seed)

describe("What is in fashion", () => {
  it("is the seed's, each of them somewhere, and in many seeds nothing is", () => {
    const all = SEEDS.map((seed) => fashionsOf({ seed, ...POPULATION }))
    expect(new Set(all.flatMap((one) => [...one]))).toEqual(new Set(FASHIONS))
    expect(all.filter(({ size }) => size === 0).length).toBeGreaterThan(SEEDS.length / 4)
    expect(fashionsOf({ seed: 7, ...POPULATION })).toEqual(all[7]!)
  })

  it("has what an event asks for that a fault of the seed is aimed at", () => {
    const aimed = (before: string) =>
      SEEDS.filter((seed) => aimsOf(seed, FAULT_KINDS, eventsWith(POPULATION)).some((aim) => aim.before === before))
    for (const [tag, fashion] of [
      ["CommitmentHaltSet", "halts"],
      ["CreditLimitSet", "credit"],
      ["BotReturned", "terminations"]
    ] as const) {
      expect(aimed(tag).length).toBeGreaterThan(20)
      for (const seed of aimed(tag)) expect(fashionsOf({ seed, ...POPULATION })).toContain(fashion)
    }
  })
})

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
