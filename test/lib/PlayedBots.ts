import { expect } from "bun:test"
import { makeScenario } from "../../engine/simulation/Scenario.ts"
import { decodedEvent } from "./DecodedEvent.ts"
import type { SimulatedJournal } from "../../engine/simulation/SimulatedJournal.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import { environment, withBots } from "./Simulations.ts"

/** A simulation with bots that kept every rule, and its journal. */
export const playedWithBots = (seed: number, faults: boolean) => {
  const kept: { journal: SimulatedJournal | undefined } = { journal: undefined }
  const scenario = makeScenario({ ...withBots(seed, 24, 12), faults })
  const result = simulate(scenario, {
    ...environment,
    planted: { journal: { committed: (journal) => void (kept.journal = journal) } }
  })
  expect(result.violation).toBeNull()
  const events = (kept.journal?.events ?? []).map((event) => ({ ...event, event: decodedEvent(event) }))
  return { result, scenario, journal: { events, answers: kept.journal?.answers ?? new Map<string, never>() } }
}
