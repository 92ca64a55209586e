import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import type { SimulationResult, Violation } from "../../engine/simulation/SimulationResult.ts"
import type { ShrunkFailure } from "../ShrunkFailure.ts"

/** What a worker is asked: to run a scenario, or to make a failing one smaller. */
export type SeedTask =
  | { readonly _tag: "Run"; readonly spec: ScenarioSpec }
  | { readonly _tag: "Shrink"; readonly spec: ScenarioSpec; readonly violation: Violation }

/** What a sweep keeps of one seed's simulation. */
export type SeedOutcome = Pick<SimulationResult, "seed" | "events" | "stateHash" | "eventsHash" | "violation">

/** What a worker answers to each task. */
export interface SeedAnswers {
  readonly Run: SeedOutcome
  readonly Shrink: ShrunkFailure
}
