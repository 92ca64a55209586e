import { expect, it } from "bun:test"
import type { AccountId } from "../../../engine/ledger/Account.ts"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { beginSimulation, simulate } from "../../../engine/simulation/Simulation.ts"
import { environment } from "../../lib/Simulations.ts"

const scenario = makeScenario({ seed: 12, orders: 4, traders: 4, faults: true })

it("A world that is looked at on its way comes to the same, and shows what it came to", () => {
  const told: Array<number> = []
  const world = beginSimulation(scenario, {
    ...environment,
    onStep: (recorded) => {
      for (const { seq } of recorded) told.push(seq)
      expect(world.struck.every(({ at }) => Number.isInteger(at))).toBe(true)
    }
  })
  let elapsed = 0
  while (world.advance()) {
    expect(world.elapsed).toBeGreaterThanOrEqual(elapsed)
    elapsed = world.elapsed
  }
  expect(world.advance()).toBe(false)
  const result = world.end()
  expect(result).toEqual(simulate(scenario, environment))
  expect(told).toEqual(Array.from({ length: result.events }, (_, index) => index + 1))
  expect(world.steps).toBe(result.commits)
  expect([...world.struck]).toEqual([...result.faults])
  expect(result.endedAt).toBe(result.startedAt + world.elapsed)
  for (const { closingBalance, traderId } of result.traders) {
    expect(world.account(`${traderId}/USD/wallet` as AccountId).balance).toBe(closingBalance)
  }
  for (const { asset, orderId } of result.orders) {
    expect(world.orders.has(orderId)).toBe(true)
    expect(world.prices.get(asset)?.length).toBeGreaterThan(0)
  }
})

/** Restarts right before what another process has to go on with: one after another, from the beginning on. */
const restartsBefore = (tags: ReadonlyArray<string>): ReadonlyArray<FaultPlan> =>
  Array.from({ length: 24 }, (_, index) => {
    const before = tags[index % tags.length]
    return { index, at: index * 2_500, kind: "restart", ...(before === undefined ? {} : { before }) }
  })

it("A process reads nothing before the last commit of the one before it can land", () => {
  const faults = restartsBefore(["BotTerminated", "PurchaseOrderCancelled", "PurchaseOrderPaid", "CommitmentHaltSet"])
  const ended = [1, 11, 12].map((seed) => {
    const made = makeScenario({ seed, orders: 3, traders: 2, bots: 4, companies: 5, faults: false })
    return simulate({ ...made, faults }, environment)
  })
  expect(ended.flatMap(({ seed, violation }) => (violation === null ? [] : [{ seed, violation }]))).toEqual([])
  expect(ended.flatMap(({ faults }) => faults).length).toBeGreaterThan(ended.length * 4)
})
