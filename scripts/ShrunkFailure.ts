import { makeNodesScenario } from "../engine/simulation/NodesScenario.ts"
import { type PlantedNodes, simulateNodes } from "../engine/simulation/NodesSimulation.ts"
import { makeScenario } from "../engine/simulation/Scenario.ts"
import { commandOf, type ScenarioParts, shrink, type SimulationSpec } from "../engine/simulation/Shrink.ts"
import { simulate, type SimulationEnvironment } from "../engine/simulation/Simulation.ts"
import type { SimulationResult, Violation } from "../engine/simulation/SimulationResult.ts"

/** What a sweep keeps of one seed's simulation. */
export type SeedOutcome = Pick<SimulationResult, "seed" | "events" | "stateHash" | "eventsHash" | "violation">

/** A failing scenario and a smaller one that breaks the same rule, each with the one command that runs it. */
export interface ShrunkFailure {
  readonly replay: string
  readonly command: string
  /** What the smaller scenario breaks. */
  readonly violation: Violation
  /** How many scenarios were tried. */
  readonly tried: number
}

/** What a simulation of either kind comes to. */
export const outcomeOf = (
  spec: SimulationSpec,
  environment: SimulationEnvironment,
  planted?: PlantedNodes
): SeedOutcome => {
  const { seed, events, stateHash, eventsHash, violation } =
    "nodes" in spec
      ? simulateNodes(makeNodesScenario(spec), environment.hashing, planted)
      : simulate(makeScenario(spec), environment)
  return { seed, events, stateHash, eventsHash, violation }
}

const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)

const partsOf = (spec: SimulationSpec): ScenarioParts => {
  if ("nodes" in spec) {
    const { faults, requests } = makeNodesScenario(spec)
    return { faults: numbers(faults), requests: numbers(requests) }
  }
  const { orders, traders, faults, bots } = makeScenario(spec)
  return { orders: numbers(orders), traders: numbers(traders), faults: numbers(faults), bots: numbers(bots) }
}

/** What still breaks the rule when as much as possible is left out. */
export const shrunken = (
  spec: SimulationSpec,
  violation: Violation,
  environment: SimulationEnvironment,
  planted?: PlantedNodes
): ShrunkFailure => {
  const smaller = shrink(spec, partsOf(spec), violation, (tried) => outcomeOf(tried, environment, planted).violation)
  return {
    replay: commandOf(spec),
    command: commandOf(smaller.spec),
    violation: smaller.violation,
    tried: smaller.tried
  }
}

/** A broken rule as lines of text, with the command that replays it. */
export const explainViolation = ({ invariant, detail, seq }: Violation, replay: string): string =>
  `${invariant}: ${detail}\nafter event ${seq}\nreplay        ${replay}`

/** The same, and the smaller scenario. */
export const explainFailure = (violation: Violation, { replay, command, violation: smaller }: ShrunkFailure): string =>
  `${explainViolation(violation, replay)}\nsmaller       ${command}\n              ${smaller.detail}`
