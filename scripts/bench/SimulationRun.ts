/** A process that simulates the arena, seed after seed, and says how many events a second it recorded. */
import { makeScenario } from "../../engine/simulation/Scenario.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import { compression, hashing, readHistory } from "../SimulationPlatform.ts"
import { serve } from "./Worker.ts"

export interface SimulationPlan {
  /** The first seed. */
  readonly seed: number
  /** Begins no simulation after so many milliseconds. */
  readonly millis: number
  readonly orders: number
  readonly traders: number
  /** Whether every step is judged. */
  readonly audit: boolean
}

const history = readHistory(new URL("../../data/daily-rates-per-usd.csv", import.meta.url))

const measure = ({ audit, millis, seed: first, ...size }: SimulationPlan): number => {
  const begun = performance.now()
  let recorded = 0
  let elapsed = 0
  for (let seed = first; elapsed < millis; seed++) {
    const scenario = makeScenario({ ...size, seed, faults: false })
    const { events, violation } = simulate(scenario, { compression, hashing, history, audit })
    if (violation !== null) throw new Error(`${violation.invariant}: ${violation.detail}`)
    recorded += events
    elapsed = performance.now() - begun
  }
  return recorded / (elapsed / 1_000)
}

serve(measure)
