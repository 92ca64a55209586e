import { expect } from "bun:test"
import { MemoryJournal } from "../../engine/simulation/MemoryJournal.ts"
import { makeScenario } from "../../engine/simulation/Scenario.ts"
import type { SimulatedEvent } from "../../engine/simulation/SimulatedArena.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import { environment, withBots } from "./Simulations.ts"

/** A simulation with bots that kept every rule, and its journal. */
export const playedWithBots = (seed: number, faults: boolean) => {
  const kept: { journal: MemoryJournal<SimulatedEvent> | undefined } = { journal: undefined }
  const scenario = makeScenario({ ...withBots(seed, 24, 12), faults })
  const result = simulate(scenario, {
    ...environment,
    planted: { makeJournal: (options) => (kept.journal = new MemoryJournal<SimulatedEvent>(options)) }
  })
  expect(result.violation).toBeNull()
  return { result, scenario, journal: kept.journal! }
}
