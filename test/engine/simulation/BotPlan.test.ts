import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { strategyOf } from "../../../engine/bots/Strategy.ts"
import { NO_FASHION } from "../../../engine/simulation/FrequentActs.ts"
import { planBots } from "../../../engine/simulation/BotPlan.ts"

const LENGTH = 3_600_000
const BOTS = Array.from({ length: 40 }, (_, index) => index)

const planned = (seed: number, some: ReadonlyArray<number> = BOTS) =>
  planBots(seed, some, BOTS.length, LENGTH, NO_FASHION)

describe("BotPlan", () => {
  it("draws each bot by itself", () => {
    const all = planned(1)
    expect(planned(1, [3, 17])).toEqual([3, 17].map((index) => all[index]!))
    expect(planned(2)).not.toEqual(all)
  })

  it("draws strategies that can be followed, and requests within the simulation, a company for a few bots", () => {
    const all = planned(3)
    for (const { capabilities, requests, strategy } of all) {
      expect(Result.isSuccess(strategyOf(strategy))).toBe(true)
      expect(capabilities.length).toBeGreaterThan(0)
      expect(requests[0]?.request.act).toBe("fund")
      expect(requests.every(({ at }) => at >= 0 && at <= LENGTH)).toBe(true)
    }
    const acts = new Set<string>(all.flatMap(({ requests }) => requests.map(({ request }) => request.act)))
    expect([...acts].toSorted()).toEqual(
      "bid change evaluate failModule fund pause resume start suspend terminate topup withdraw".split(" ")
    )
    expect(new Set(all.map(({ company }) => company.companyId)).size).toBeLessThan(BOTS.length / 2)
  })
})
