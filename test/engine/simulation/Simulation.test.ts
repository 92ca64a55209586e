import { describe, expect, it } from "bun:test"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { brokenSeeds, environment, faulted, simulated } from "../../lib/Simulations.ts"

const FIRST_SEED = 1
const SEEDS = 50

describe("Simulation", () => {
  it(`keeps every rule under faults, for ${SEEDS} seeds`, () => {
    expect(brokenSeeds(FIRST_SEED, SEEDS)).toEqual([])
  })

  it("keeps every rule under faults with a scheduler that has a bound, and gives the same bytes", () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 8; seed++) {
      const result = simulated({ ...faulted(seed), depth: 3 })
      expect(result.violation).toBeNull()
      if (seed === FIRST_SEED) expect(simulated({ ...faulted(seed), depth: 3 })).toEqual(result)
    }
  })

  it("gives the same bytes for the same seed", () => {
    for (const seed of [3, 4]) expect(simulated(faulted(seed))).toEqual(simulated(faulted(seed)))
  })

  it("gives other bytes for another seed", () => {
    const hashes = [5, 6, 7].map((seed) => simulated(faulted(seed)).eventsHash)
    expect(new Set(hashes).size).toBe(3)
  })

  it("gives the same bytes whether it is judged or watched, or not", () => {
    const scenario = makeScenario({ seed: 8, orders: 8, traders: 6, faults: false })
    const seen: Array<number> = []
    const watched = simulate(scenario, { ...environment, onProgress: ({ events }) => void seen.push(events) })
    const unjudged = simulate(scenario, { ...environment, audit: false })
    expect(unjudged).toEqual(watched)
  })

  it("gives the same bytes whether what waits for the end is compressed or not", () => {
    const scenario = makeScenario({ seed: 11, orders: 240, traders: 24, faults: false })
    const kept: Array<string> = []
    const compressed = simulate(scenario, {
      ...environment,
      compression: (text) => {
        kept.push(text)
        return environment.compression(text)
      }
    })
    const { compression: _, ...uncompressed } = environment
    expect(kept.length).toBeGreaterThan(10)
    expect(simulate(scenario, uncompressed)).toEqual(compressed)
  })

  it("tells the prices of every order when asked, from its opening to its settlement", () => {
    const scenario = makeScenario({ seed: 9, orders: 4, traders: 3, faults: false })
    const { orders } = simulate(scenario, { ...environment, prices: true })
    expect(orders.length).toBe(4)
    for (const { prices, openedAt, entryPrice, settlementAt } of orders) {
      expect(prices[0]).toMatchObject({ at: openedAt, price: entryPrice })
      expect(prices.at(-1)?.at).toBe(settlementAt)
    }
  })

  it("settles every order, and takes and refuses submissions", () => {
    const { orders, answers, traders } = simulated({ seed: 10, orders: 40, traders: 10, faults: false })
    expect(orders.length).toBe(40)
    expect(orders.every(({ status }) => status === "settled")).toBe(true)
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(["Submitted", "InvalidTerms", "WindowClosed"]))
    expect(traders.reduce((sum, { commitments }) => sum + commitments, 0)).toBe(answers["Submitted"]!)
  })
})
