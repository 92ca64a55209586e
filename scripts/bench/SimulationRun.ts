/** A process that simulates the arena and says how many events a second it recorded. */
import { makeScenario } from "../../engine/simulation/Scenario.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import { hashing, readHistory } from "../SimulationPlatform.ts"
import { serve } from "./Worker.ts"

export interface SimulationPlan {
  readonly seed: number
  readonly orders: number
  readonly traders: number
  /** Whether every step is judged. */
  readonly audit: boolean
}

const history = readHistory(new URL("../../data/daily-rates-per-usd.csv", import.meta.url))

const measure = ({ audit, ...spec }: SimulationPlan): number => {
  const begun = performance.now()
  const { events, violation } = simulate(makeScenario({ ...spec, faults: false }), { hashing, history, audit })
  if (violation !== null) throw new Error(`${violation.invariant}: ${violation.detail}`)
  return events / ((performance.now() - begun) / 1_000)
}

serve(measure)
