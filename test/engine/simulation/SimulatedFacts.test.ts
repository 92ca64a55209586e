import { describe, expect, it } from "bun:test"
import type { Median } from "../../../engine/arena/Median.ts"
import { PriceFeed } from "../../../engine/simulation/PriceFeed.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { SimulatedBreakers } from "../../../engine/simulation/SimulatedBreakers.ts"
import { makeFacts } from "../../../engine/simulation/SimulatedFacts.ts"
import { keyedHash, simulatedKeys } from "../../../engine/simulation/SimulationHashing.ts"
import { order, terms } from "../../lib/ArenaArbitraries.ts"
import { environment } from "../../lib/Simulations.ts"

const { link } = environment.hashing
const FAIR = { isStalled: false, factor: 1_000_000 }

const worldOf = () => {
  const feed = new PriceFeed(environment.history, keyedHash(link, 1, "walk"))
  const breakers = new SimulatedBreakers()
  const scenario = makeScenario({ seed: 3, orders: 4, traders: 20, faults: false })
  const quotes: Array<Median> = []
  const keys = simulatedKeys(link, 3)
  const facts = makeFacts({
    scenario,
    startedAt: 0,
    feed,
    breakers,
    keys,
    onQuote: (_, median) => void quotes.push(median)
  })
  return { feed, breakers, scenario, quotes, keys, facts }
}

const times = { openedAt: 0, expiryAt: 10_000, settlementAt: 20_000 }

describe("SimulatedFacts", () => {
  it("gathers the medians from expiry on, the halt at expiry and the tie key", () => {
    const { feed, breakers, keys, facts } = worldOf()
    const state = order({ ...times, asset: "EUR/USD" })
    for (const at of [5_000, 10_000, 15_000]) feed.record(at, FAIR)
    breakers.check([{ scope: "fx", reason: "stale_price" }], 9_000)
    const found = facts(state, 15_000)
    expect(found.medians).toEqual(feed.since("EUR/USD", 10_000))
    expect(found).toMatchObject({ now: 15_000, haltedAtExpiry: true, tieKey: keys.tieKey(terms().orderId) })
    expect(found.tieHash("cmp_1")).toBe(keys.tieHash(found.tieKey, "cmp_1"))
  })

  it("counts the owners of machines that may trade", () => {
    const { scenario, facts } = worldOf()
    const machines = scenario.traders.filter(({ type, barred }) => type === "machine" && barred === null)
    expect(facts(order(times), 0).machineOwners).toEqual(new Set(machines.map(({ owner }) => owner)))
  })

  it("prices an option once for each median of its underlying", () => {
    const { feed, quotes, facts } = worldOf()
    const details = { underlying: "XAU", type: "call", strike: 4_000, expiry: "2027-03-01", implied_volatility: 0.2 }
    const state = order({ ...times, assetType: "options", asset: "XAU", details })
    feed.record(10_000, FAIR)
    const [priced] = facts(state, 10_000).medians
    facts(state, 10_000)
    expect(quotes).toEqual([priced!])
    expect(priced!.price).not.toBe(feed.since("XAU", 0)[0]!.price)
  })

  it("accrues the vault's yield", () => {
    const { facts } = worldOf()
    const { accrued } = facts(order(times), 0)
    expect(accrued(terms().quantity, 0, 86_400_000) > 0n).toBe(true)
    expect(accrued(terms().quantity, 5, 5) > 0n).toBe(false)
  })
})
