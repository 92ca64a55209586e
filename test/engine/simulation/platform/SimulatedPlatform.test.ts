import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../../engine/simulation/Scenario.ts"
import { beginSimulation } from "../../../../engine/simulation/Simulation.ts"
import { environment } from "../../../lib/Simulations.ts"

const spec = { seed: 5, orders: 4, traders: 2, companies: 4, faults: true }

/** Plays a simulation, looking at it after so many turns at a time. */
const played = (turns: number) => {
  const running = beginSimulation(makeScenario(spec), { ...environment, audit: turns % 2 === 0 })
  for (let goes = true; goes;) {
    for (let turn = 0; goes && turn < turns; turn++) goes = running.advance()
    expect(running.account("usr_co_0/USD/wallet").balance >= 0n).toBe(true)
  }
  const { eventsHash, stateHash } = running.end()
  return { eventsHash, stateHash }
}

describe("SimulatedPlatform", () => {
  it("comes to the same bytes however it is cut into turns, and whether it is judged or not", () => {
    const whole = played(1_000_000)
    for (const turns of [1, 7, 64]) expect(played(turns)).toEqual(whole)
  })
})
