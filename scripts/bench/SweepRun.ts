/** A process that simulates seeds side by side on every core, and says how many events a second it recorded. */
import { availableParallelism } from "node:os"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { SeedWorkers } from "../sweep/SeedWorkers.ts"
import { serve } from "./Worker.ts"

export interface SweepPlan {
  /** The first seed. */
  readonly seed: number
  /** Begins no simulation after so many milliseconds. */
  readonly millis: number
  readonly orders: number
  readonly traders: number
}

const workers = new SeedWorkers(availableParallelism())

/** Events a second of wall time, until the last worker is done. */
const measure = async ({ millis, seed: first, ...size }: SweepPlan): Promise<number> => {
  const begun = performance.now()
  const specs = function* (): Generator<ScenarioSpec> {
    for (let seed = first; performance.now() - begun < millis; seed++) yield { ...size, seed, faults: false }
  }
  let recorded = 0
  await workers.run(specs(), ({ events, violation }) => {
    if (violation !== null) throw new Error(`${violation.invariant}: ${violation.detail}`)
    recorded += events
  })
  return recorded / ((performance.now() - begun) / 1_000)
}

serve(measure)
