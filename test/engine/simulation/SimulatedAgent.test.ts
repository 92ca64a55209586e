import { describe, expect, it } from "bun:test"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { MAKER } from "../../../engine/simulation/OpeningFunds.ts"
import { SimulatedAgent, TICK_MILLIS } from "../../../engine/simulation/SimulatedAgent.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { smallWorld } from "../../lib/SmallWorld.ts"

const agentOf = (faults: ReadonlyArray<FaultPlan> = []) => {
  const world = smallWorld(faults)
  const told: Array<number> = []
  const agent = new SimulatedAgent({
    ...world,
    maker: MAKER,
    orders: world.scenario.orders,
    timing: world.scenario.timing,
    live: world.projection.live,
    isKnown: (orderId) => world.projection.orders.has(orderId),
    onPrices: (recorded) => void told.push(recorded.length),
    onTurned: () => {}
  })
  const ticks = (count: number): void => {
    for (let tick = 0; tick < count; tick++) {
      world.pass(TICK_MILLIS)
      agent.tick()
    }
    world.pass(100)
  }
  return { ...world, agent, told, ticks }
}

describe("SimulatedAgent", () => {
  it("opens one order of each type in its slot, once", () => {
    const { ticks, projection, journal, scenario, agent, defects } = agentOf()
    ticks(3)
    expect([...projection.orders.keys()].toSorted()).toEqual(
      scenario.orders.map((plan) => agent.orderId(plan)).toSorted()
    )
    expect(journal.events.filter((one) => decodedEvent(one)._tag === "OrderOpened").length).toBe(4)
    expect(defects).toEqual([])
  })

  it("tells orders of the time until they are settled", () => {
    const { ticks, projection } = agentOf()
    ticks(30)
    expect([...projection.orders.values()].map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => "settled" as const)
    )
    expect(projection.live.size).toBe(0)
  })

  it("opens nothing without a safe price, and tries again while the slot lasts", () => {
    const { ticks, projection, told } = agentOf([{ index: 0, at: 1_000, kind: "stall_oracle", for: 45_000 }])
    ticks(2)
    expect([projection.orders.size, told]).toEqual([0, [0, 0]])
    ticks(70)
    expect(projection.orders.size).toBe(0)
  })

  const slow = { index: 0, at: 1_000, kind: "slow_journal", for: 100_000, by: 30_000 } as const

  it("does no more of what its process was about to do", () => {
    const { agent, pass, projection, ticks } = agentOf([slow])
    ticks(1)
    agent.restart()
    pass(200_000)
    expect(projection.orders.size).toBe(1)
  })

  it("begins a round once the last one ended, or its process did", () => {
    const { agent, journal, projection, ticks, told } = agentOf([slow])
    ticks(2)
    expect(told.length).toBe(1)
    agent.restart()
    journal.restart()
    ticks(1)
    expect([told.length, projection.orders.size]).toEqual([2, 0])
    ticks(2)
    expect([told.length, projection.orders.size]).toEqual([2, 1])
  })
})
