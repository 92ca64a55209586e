import { describe, expect, it } from "bun:test"
import { makeScenario, type ScenarioSpec, SLOT_MILLIS, submissionsTo } from "../../../engine/simulation/Scenario.ts"

const spec: ScenarioSpec = { seed: 11, orders: 12, traders: 9, faults: true }
const scenario = makeScenario(spec)

describe("Scenario", () => {
  it("is plain data, the same for the same specification", () => {
    expect(makeScenario(spec)).toEqual(scenario)
    expect(structuredClone(scenario)).toEqual(scenario)
    expect(makeScenario({ ...spec, seed: 12 })).not.toEqual(scenario)
  })

  it("opens an order of each type each slot, and draws human and machine traders", () => {
    expect(scenario.orders.map(({ slot, assetType }) => `${slot} ${assetType}`).slice(3, 6)).toEqual([
      "0 gpu",
      "1 commodity",
      "1 fx"
    ])
    expect(new Set(makeScenario({ ...spec, traders: 30 }).traders.map(({ type }) => type)).size).toBe(2)
    expect(scenario.length).toBeGreaterThan(3 * SLOT_MILLIS)
  })

  it("leaves out what is not kept, and changes nothing else", () => {
    const kept = makeScenario({ ...spec, keep: { orders: [2, 7], traders: [1, 4], faults: [3] } })
    expect(kept.orders.map(({ index }) => index)).toEqual([2, 7])
    expect(kept.traders).toEqual(scenario.traders.filter(({ index }) => index === 1 || index === 4))
    expect(kept.faults).toEqual(scenario.faults.filter(({ index }) => index === 3))
    const before = submissionsTo(scenario.orders[7]!, scenario).filter(({ trader }) => trader === 1 || trader === 4)
    expect(submissionsTo(kept.orders[1]!, kept)).toEqual(before)
  })

  it("has no faults unless they are asked for", () => {
    expect(makeScenario({ ...spec, faults: false }).faults).toEqual([])
  })

  it("lets bids meet: some orders get equal ones from two traders in one batch of 100 ms", () => {
    const wide = makeScenario({ ...spec, orders: 40, traders: 20 })
    const equals = wide.orders.filter((order) => {
      const bids = submissionsTo(order, wide).map(
        ({ after, premium, quantity }) => `${Math.floor(after / 100)} ${premium} ${quantity}`
      )
      return new Set(bids).size < bids.length
    })
    expect(equals.length).toBeGreaterThan(20)
  })
})
