import type { ScenarioSpec } from "../../../../engine/simulation/Scenario.ts"
import type { SimulationResult } from "../../../../engine/simulation/SimulationResult.ts"
import type { StepView } from "./StepView.ts"

/** What the page asks of the worker. Each scenario has a number of its own, so that late answers to another one are known. */
export type ToWorker =
  | { readonly _tag: "Open"; readonly run: number; readonly spec: ScenarioSpec }
  | { readonly _tag: "Show"; readonly run: number; readonly step: number; readonly order: string | undefined }

/** What a simulation came to, as far as the page tells it. */
export type Outcome = Pick<SimulationResult, "events" | "eventsHash" | "stateHash" | "violation">

/** What the worker tells. */
export type FromWorker =
  | { readonly _tag: "Progress"; readonly run: number; readonly steps: number; readonly outcome: Outcome | undefined }
  | { readonly _tag: "View"; readonly run: number; readonly view: StepView }
  | { readonly _tag: "Failed"; readonly run: number; readonly message: string }
