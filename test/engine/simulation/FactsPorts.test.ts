import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { AssetType } from "../../../engine/arena/AssetType.ts"
import type { Trader } from "../../../engine/arena/Commitment.ts"
import { gatherFacts } from "../../../engine/arena/FactsGathering.ts"
import type { FairnessRule } from "../../../engine/arena/Fairness.ts"
import type { Median } from "../../../engine/arena/Median.ts"
import type { OrderState } from "../../../engine/arena/Order.ts"
import { PriceFeed } from "../../../engine/simulation/PriceFeed.ts"
import { isAlwaysActive, makeScenario } from "../../../engine/simulation/Scenario.ts"
import { BreakerPanel } from "../../../engine/arena/BreakerPanel.ts"
import { factsPorts } from "../../../engine/simulation/FactsPorts.ts"
import { QuoteCache } from "../../../engine/simulation/QuoteCache.ts"
import { keyedHash, simulatedKeys } from "../../../engine/simulation/SimulationHashing.ts"
import { commitment, human, machine, order, terms } from "../../lib/ArenaArbitraries.ts"
import { environment } from "../../lib/Simulations.ts"

const { link } = environment.hashing
const FAIR = { isStalled: false, factor: 1_000_000 }

const worldOf = (rule: FairnessRule = "weighted", orders: ReadonlyMap<string, OrderState> = new Map()) => {
  const feed = new PriceFeed(environment.history, keyedHash(link, 1, "walk"))
  const breakers = new BreakerPanel()
  const scenario = makeScenario({ seed: 3, orders: 4, traders: 20, faults: false, rule })
  const quotes: Array<Median> = []
  const keys = simulatedKeys(link, 3)
  const world = factsPorts({
    scenario,
    startedAt: 0,
    feed,
    breakers,
    keys,
    orders,
    quotes: new QuoteCache((_, median) => void quotes.push(median))
  })
  const facts = (state: OrderState, now: number) => Effect.runSync(gatherFacts(world, state, now))
  return { feed, breakers, scenario, quotes, keys, facts }
}

const times = { openedAt: 0, expiryAt: 10_000, settlementAt: 20_000 }

const committedTo = (...traders: ReadonlyArray<Trader>): OrderState => {
  const state = order(times)
  for (const [index, trader] of traders.entries()) state.commitments.add(commitment(index, { trader }))
  return state
}

describe("FactsPorts", () => {
  it("gathers the medians from expiry on, the halt at expiry and the tie key", () => {
    const { feed, breakers, keys, facts } = worldOf()
    const state = order({ ...times, asset: "EUR/USD" })
    for (const at of [5_000, 10_000, 15_000]) feed.record(at, FAIR)
    breakers.take(breakers.trip([{ scope: "fx", reason: "stale_price" }], 9_000))
    const found = facts(state, 15_000)
    expect(found.medians).toEqual(feed.since("EUR/USD", 10_000))
    expect(found).toMatchObject({ now: 15_000, haltedAtExpiry: true, tieKey: keys.tieKey(terms().orderId) })
    expect(found.tieHash("cmp_1")).toBe(keys.tieHash(found.tieKey, "cmp_1"))
  })

  it("counts the owners of machines that may trade", () => {
    const { scenario, facts } = worldOf()
    const machines = scenario.traders.filter(isAlwaysActive)
    expect(facts(order(times), 0).machineOwners).toEqual(new Set(machines.map(({ owner }) => owner)))
  })

  it("counts the machines that committed to the order", () => {
    const { scenario, facts } = worldOf("quorum")
    const machines = scenario.traders.filter(isAlwaysActive)
    const found = facts(committedTo(machine("cmp_1"), machine("cmp_1"), machine("cmp_2"), human("cmp_3")), 0)
    expect(found).toMatchObject({ rule: "quorum", register: { capable: machines.length, committed: 2 } })
    expect(found.register.turnout.size).toBe(0)
  })

  it("counts in how many of the orders of the type that expired last an owner's machines took part", () => {
    const { scenario } = worldOf()
    const { owner } = scenario.traders.find(isAlwaysActive)!
    const orders = new Map<string, OrderState>()
    const put = (state: OrderState, status: OrderState["status"], openedAt: number, assetType: AssetType = "fx") => {
      const orderId = `ord_${orders.size}`
      const expiryAt = openedAt + 100
      orders.set(orderId, { ...state, status, terms: { ...state.terms, orderId, openedAt, expiryAt, assetType } })
    }
    for (let opened = 0; opened < 25; opened++) {
      put(opened % 2 === 0 ? committedTo(machine(owner), human("cmp_h")) : order(times), "settled", opened)
    }
    put(committedTo(machine(owner)), "settled", 31, "gpu")
    const turnout = () => worldOf("turnout", orders).facts(order({ ...times, expiryAt: 124 }), 0).register.turnout
    expect(turnout().get(owner)).toEqual({ orders: 20, committed: 10 })
    expect(turnout().has("cmp_h")).toBe(false)
    // One that expires later counts for nothing, however soon it closed; one that has expired counts before it closes.
    put(order(times), "settled", 25)
    expect(turnout().get(owner)).toEqual({ orders: 20, committed: 10 })
    put(committedTo(machine(owner)), "competing", 24)
    expect(turnout().get(owner)).toEqual({ orders: 20, committed: 11 })
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
