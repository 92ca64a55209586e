import { describe, expect, it } from "bun:test"
import { aimsOf } from "../../../engine/simulation/FaultAim.ts"
import { FAULT_KINDS } from "../../../engine/simulation/FaultPlan.ts"
import { FASHIONS, fashionsOf } from "../../../engine/simulation/FrequentActs.ts"
import { eventsWith } from "../../../engine/simulation/ReachableEvents.ts"

const POPULATION = { bots: 3, companies: 5 }
const SEEDS = Array.from({ length: 600 }, (_, seed) => seed)

describe("What is in fashion", () => {
  it("is the seed's, each of them somewhere, and in many seeds nothing is", () => {
    const all = SEEDS.map((seed) => fashionsOf({ seed, ...POPULATION }))
    expect(new Set(all.flatMap((one) => [...one]))).toEqual(new Set(FASHIONS))
    expect(all.filter(({ size }) => size === 0).length).toBeGreaterThan(SEEDS.length / 6)
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
