import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  LONGEST_MILLIS,
  plannedScenario,
  plannedSubmissions,
  simulatedTiming,
  worldScenario
} from "../../../engine/simulation/WorldScenario.ts"
import { MAX_WORLD_MILLIS } from "../../../engine/simulation/ExportedWorld.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { simulatedExport, surveyed } from "../../lib/SimulatedExport.ts"

const { events } = simulatedExport({ seed: 11, orders: 40, traders: 10, faults: false, bots: 3 })
const world = surveyed(events)
const spec = { seed: 4, orders: 400, traders: 0, faults: false, world: "world.json" }

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const deviation = (values: ReadonlyArray<number>) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / values.length)

describe("A scenario that begins as a world", () => {
  it("is drawn whole without one", () => {
    const drawn = { seed: 5, orders: 8, traders: 4, faults: true }
    expect(plannedScenario(drawn)).toEqual(makeScenario(drawn))
  })

  it("has the world's traders, bots, rule and funds", () => {
    const scenario = worldScenario(spec, world)
    expect(scenario.traders.map(({ allowance, balance, type }) => ({ allowance, balance, type }))).toEqual(
      world.traders.map(({ allowance, balance, type }) => ({ allowance, balance, type }))
    )
    expect(scenario.bots.map(({ strategy }) => strategy)).toEqual(world.bots.map(({ strategy }) => strategy))
    expect(scenario.house).toEqual(world.house)
    expect(scenario.spec.rule).toBe(world.rule)
    expect(worldScenario({ ...spec, rule: "quorum" }, world).spec.rule).toBe("quorum")
  })

  it("bids as often, by the same traders and as high: means within four standard errors", () => {
    const scenario = worldScenario(spec, world)
    const again = scenario.orders.map((order) => plannedSubmissions(order, scenario))
    const recorded = world.auctions.map(({ bids }) => bids)
    const measures = [
      [recorded.map(({ length }) => length), again.map(({ length }) => length)],
      ...[0, 1, 2, 3].map((trader) => [
        recorded.map((bids) => bids.filter(([by]) => by === trader).length),
        again.map((bids) => bids.filter(({ trader: by }) => by === trader).length)
      ]),
      [
        recorded.map((bids) => Math.max(0, ...bids.map(([, , premium]) => premium))),
        again.map((bids) => Math.max(0, ...bids.map(({ premium }) => premium)))
      ]
    ] as const
    for (const [was = [], is = []] of measures) {
      const error = deviation(was) / Math.sqrt(is.length)
      expect(Math.abs(mean(is) - mean(was))).toBeLessThanOrEqual(4 * error + 1e-9)
    }
    expect(new Set(again.map((bids) => JSON.stringify(bids.map(({ premium }) => premium)))).size).toBeGreaterThan(20)
  })

  it("leaves all else as it is where something is left out", () => {
    const scenario = worldScenario({ ...spec, orders: 12 }, world)
    const some = worldScenario({ ...spec, orders: 12, keep: { traders: [1, 3], orders: [2, 7], bots: [0] } }, world)
    expect(some.traders).toEqual(scenario.traders.filter(({ index }) => [1, 3].includes(index)))
    expect(some.bots).toEqual(scenario.bots.slice(0, 1))
    for (const order of some.orders) {
      const whole = plannedSubmissions(order, scenario).filter(({ trader }) => [1, 3].includes(trader))
      expect(plannedSubmissions(order, some)).toEqual(whole)
    }
  })

  it("shortens or lengthens all times alike, so that every window and delay can be looked at", () => {
    const time = fc.oneof(fc.integer({ min: 60_000, max: 3_600_000 }), fc.integer({ min: 1, max: MAX_WORLD_MILLIS }))
    fc.assert(
      fc.property(time, time, time, (slot, window, delay) => {
        const timing = simulatedTiming({ slot, window, delay })
        expect(timing.slot % 20_000).toBe(0)
        expect(timing.slot).toBeGreaterThanOrEqual(120_000)
        expect(Math.min(timing.window, timing.delay)).toBeGreaterThanOrEqual(60_000)
        expect(Math.max(timing.slot - 20_000, timing.window, timing.delay)).toBeLessThanOrEqual(LONGEST_MILLIS)
        const scales = [120_000 / slot, 60_000 / window, 60_000 / delay]
        if (Math.max(...scales) * Math.max(slot, window, delay) > LONGEST_MILLIS) return
        expect(Math.abs(timing.window / window / (timing.delay / delay) - 1)).toBeLessThan(0.001)
      })
    )
  })
})

describe("A simulation in a world", () => {
  it("accepts what the auctions that are bid again were bid, and is the same each time", () => {
    const given = { ...spec, orders: 16 }
    const [{ result }, { result: same }] = [simulatedExport(given, world), simulatedExport(given, world)]
    const scenario = worldScenario(given, world)
    const planned = scenario.orders.reduce((sum, order) => sum + plannedSubmissions(order, scenario).length, 0)
    expect(result.violation).toBeNull()
    const refused = (result.answers["InsufficientCollateral"] ?? 0) + (result.answers["LossLimitReached"] ?? 0)
    expect((result.answers["Submitted"] ?? 0) + refused).toBe(planned)
    expect([same.eventsHash, same.stateHash]).toEqual([result.eventsHash, result.stateHash])
    expect(simulatedExport({ ...given, seed: 6 }, world).result.eventsHash).not.toBe(result.eventsHash)
  })

  it("keeps every rule while faults strike, with its vault closed too", () => {
    for (const seed of [1, 2, 3]) {
      expect(simulatedExport({ ...spec, seed, orders: 8, faults: true }, world).result.violation).toBeNull()
    }
    const closed = { ...world, house: { ...world.house, isVaultClosed: true } }
    const { result } = simulatedExport({ ...spec, orders: 4 }, closed)
    expect(result.violation).toBeNull()
    // The market maker's escrow is in the vault too.
    expect(result.orders).toEqual([])
  })
})
