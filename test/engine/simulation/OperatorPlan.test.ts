import { describe, expect, it } from "bun:test"
import { planBots } from "../../../engine/simulation/BotPlan.ts"
import { NO_FASHION } from "../../../engine/simulation/FrequentActs.ts"
import { planOperators } from "../../../engine/simulation/OperatorPlan.ts"

const LENGTH = 3_600_000
const BOTS = planBots(
  1,
  Array.from({ length: 40 }, (_, index) => index),
  40,
  LENGTH,
  NO_FASHION
)

describe("OperatorPlan", () => {
  it("draws each company by itself", () => {
    const all = planOperators(1, BOTS, LENGTH, NO_FASHION)
    const [first] = BOTS
    expect(planOperators(1, [first!], LENGTH, NO_FASHION)).toEqual([
      all.find(({ company }) => company.companyId === first!.company.companyId)!
    ])
    expect(planOperators(2, BOTS, LENGTH, NO_FASHION)).not.toEqual(all)
    expect(planOperators(1, [], LENGTH, NO_FASHION)).toEqual([])
  })

  it("asks for everything, one by one and in batches, and lets some switches lapse", () => {
    const requests = planOperators(3, BOTS, LENGTH, NO_FASHION).flatMap((plan) => plan.requests)
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length)
    const acts = new Set<string>(requests.map(({ request }) => request.act))
    expect([...acts].toSorted()).toEqual(["cancelAfter", "commit", "pauseAll", "resumeAll"])
    const sizes = new Set(requests.map(({ request }) => (request.act === "commit" ? request.items.length : 0)))
    expect([...sizes].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
    const seconds = requests.flatMap(({ request }) => (request.act === "cancelAfter" ? [request.seconds] : []))
    expect([seconds.includes(0), Math.max(...seconds) > 40]).toEqual([true, true])
    expect(requests.every(({ at }) => Number.isSafeInteger(at) && at >= 0)).toBe(true)
  })
})
