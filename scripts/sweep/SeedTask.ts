import type { BlockOutcome } from "../campaign/BlockOutcome.ts"
import type { ExportedWorld } from "../../engine/simulation/ExportedWorld.ts"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import type { SimulationSpec } from "../../engine/simulation/Shrink.ts"
import type { Violation } from "../../engine/simulation/SimulationResult.ts"
import type { SeedOutcome, ShrunkFailure } from "../ShrunkFailure.ts"

/** What a worker is given when it begins. */
export interface SeedData {
  /** The world that the scenarios name; undefined where they name none. */
  readonly world?: ExportedWorld | undefined
}

/** What a worker is asked: to run a scenario, or some one after the other, or to make a failing one smaller. */
export type SeedTask =
  | { readonly _tag: "Run"; readonly spec: SimulationSpec }
  | { readonly _tag: "Block"; readonly spec: ScenarioSpec; readonly others: ReadonlyArray<ScenarioSpec> }
  | { readonly _tag: "Shrink"; readonly spec: SimulationSpec; readonly violation: Violation }

/** What a worker sends: what came of its task, or what it failed by. */
export type SeedAnswer = { readonly done: SeedAnswers[SeedTask["_tag"]] } | { readonly failed: string }

/** What a worker answers to each task. */
export interface SeedAnswers {
  readonly Run: SeedOutcome
  readonly Block: BlockOutcome
  readonly Shrink: ShrunkFailure
}
