import { describe, expect, it } from "bun:test"
import { type Fashion, NO_FASHION } from "../../../../engine/simulation/FrequentActs.ts"
import { planAdvances, planCompanies } from "../../../../engine/simulation/platform/CompanyPlan.ts"

describe("planCompanies", () => {
  it("draws each company by itself, so that leaving one out changes no other", () => {
    const all = planCompanies(7, [0, 1, 2], 300_000, NO_FASHION)
    expect(planCompanies(7, [2], 300_000, NO_FASHION)).toEqual([all[2]!])
    expect(planCompanies(8, [2], 300_000, NO_FASHION)).not.toEqual([all[2]!])
  })

  it("asks for every act within some companies, at times of the simulation, under ids of their own", () => {
    const requests = planCompanies(
      7,
      Array.from({ length: 12 }, (_, index) => index),
      300_000,
      NO_FASHION
    ).flatMap((one) => one.requests)
    expect(new Set(requests.map(({ request }) => request.act)).size).toBe(18)
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length)
    expect(requests.every(({ at }) => at >= 0 && at < 300_000)).toBe(true)
  })
})

describe("A fashion", () => {
  it("has companies do one thing far more often", () => {
    const all = Array.from({ length: 12 }, (_, index) => index)
    const webhooks = (fashions: ReadonlySet<Fashion>) =>
      planCompanies(7, all, 300_000, fashions)
        .flatMap((one) => one.requests)
        .filter(({ request }) => request.act === "webhook").length
    expect(webhooks(new Set(["webhooks"]))).toBeGreaterThan(3 * webhooks(NO_FASHION))
  })
})

describe("planAdvances", () => {
  it("sets the time forward by whole days, now and then", () => {
    const advances = Array.from({ length: 20 }, (_, seed) => planAdvances(seed, 300_000, NO_FASHION)).flat()
    expect(advances.length).toBeGreaterThan(10)
    expect(advances.every(({ at, by }) => at < 300_000 && by % 86_400_000 === 0 && by > 0)).toBe(true)
  })

  it("sets it forward by weeks, more than once, where arrears are in fashion", () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const advances = planAdvances(seed, 300_000, new Set(["arrears"]))
      expect(advances.length).toBeGreaterThan(1)
      expect(advances.every(({ at, by }) => at < 300_000 && by >= 9 * 86_400_000)).toBe(true)
    }
  })
})
