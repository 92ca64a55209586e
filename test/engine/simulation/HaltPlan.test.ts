import { describe, expect, it } from "bun:test"
import { NO_FASHION } from "../../../engine/simulation/FrequentActs.ts"
import { planHalts } from "../../../engine/simulation/HaltPlan.ts"

const OWNERS = Array.from({ length: 60 }, (_, index) => ({ companyId: `cmp_${index}`, userId: `usr_${index}` }))
const HALTS = new Set(["halts"] as const)

describe("HaltPlan", () => {
  it("draws each company by itself", () => {
    const all = planHalts(1, OWNERS, 300_000, HALTS)
    const [first] = all
    const alone = OWNERS.filter(({ companyId }) => companyId === first!.companyId)
    expect(planHalts(1, alone, 300_000, HALTS)).toEqual([first!])
    expect(planHalts(2, OWNERS, 300_000, HALTS)).not.toEqual(all)
  })

  it("has few companies ask anything, and half of them where that is in fashion", () => {
    const count = (fashions: ReadonlySet<"halts">) =>
      [1, 2, 3, 4].reduce((sum, seed) => sum + planHalts(seed, OWNERS, 300_000, fashions).length, 0)
    expect(count(new Set())).toBeLessThan(20)
    expect(count(HALTS)).toBeGreaterThan(80)
    expect(planHalts(1, [], 300_000, NO_FASHION)).toEqual([])
  })

  it("asks for everything, and lifts what it pulled", () => {
    const plans = planHalts(1, OWNERS, 300_000, HALTS)
    const acts = plans.flatMap(({ requests }) => requests.map(({ request }) => request.act))
    expect(new Set(acts)).toEqual(new Set(["halt", "lift", "haltAfter", "arm", "disconnect"]))
    for (const { requests } of plans) expect(requests.some(({ request }) => request.act === "lift")).toBe(true)
  })
})
