import { makeNodesScenario } from "../engine/simulation/NodesScenario.ts"
import { type PlantedNodes, simulateNodes } from "../engine/simulation/NodesSimulation.ts"
import type { ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { type AuctionFigures, figuresOf } from "./compare/AuctionFigures.ts"
import { commandOf, type ScenarioParts, shrink, type SimulationSpec } from "../engine/simulation/Shrink.ts"
import { simulate } from "../engine/simulation/Simulation.ts"
import type { SimulationEnvironment } from "../engine/simulation/SimulationEnvironment.ts"
import type { SimulationResult, Violation } from "../engine/simulation/SimulationResult.ts"
import { plannedScenario } from "../engine/simulation/WorldScenario.ts"

/** What a sweep keeps of one seed's simulation. */
export interface SeedOutcome extends Pick<
  SimulationResult,
  "seed" | "events" | "stateHash" | "eventsHash" | "violation"
> {
  /** Null for several nodes, which have no auctions. */
  readonly auctions: AuctionFigures | null
}

/** A failing scenario and a smaller one that breaks the same rule, each with the one command that runs it. */
export interface ShrunkFailure {
  readonly replay: string
  readonly command: string
  /** The smaller scenario. */
  readonly spec: SimulationSpec
  /** What the smaller scenario breaks. */
  readonly violation: Violation
  /** How many scenarios were tried. */
  readonly tried: number
  /** Why none was, where that is so. */
  readonly note?: string
}

/** What a simulation of either kind comes to. */
export const outcomeOf = (
  spec: SimulationSpec,
  environment: SimulationEnvironment,
  planted?: PlantedNodes
): SeedOutcome => {
  const result =
    "nodes" in spec
      ? simulateNodes(makeNodesScenario(spec), environment.hashing, planted)
      : simulate(plannedScenario(spec, environment.world), environment)
  const { seed, events, stateHash, eventsHash, violation } = result
  const auctions = "orders" in result ? figuresOf(result.orders) : null
  return { seed, events, stateHash, eventsHash, violation, auctions }
}

const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)

const partsOf = (spec: SimulationSpec, world: SimulationEnvironment["world"]): ScenarioParts => {
  if ("nodes" in spec) {
    const { faults, requests } = makeNodesScenario(spec)
    return { faults: numbers(faults), requests: numbers(requests) }
  }
  const { orders, traders, faults, given, bots, companies } = plannedScenario(spec, world)
  return {
    orders: numbers(orders),
    traders: numbers(traders),
    faults: numbers([...faults, ...given]),
    bots: numbers(bots),
    companies: numbers(companies)
  }
}

const UNSTEADY =
  "not made smaller: played again it came out otherwise, so that the module of --with keeps something from one " +
  "simulation to the next, or takes time or chance from elsewhere than its seed"

/**
 * Plays a failing scenario with somebody's module again: it has to come out the same. Answers the scenario's parts, with the
 * strikes of the module's own faults.
 */
const partsPlayed = (
  spec: ScenarioSpec,
  violation: Violation,
  environment: SimulationEnvironment
): ScenarioParts | undefined => {
  const again = simulate(plannedScenario(spec, environment.world), environment)
  const { at, invariant, seq } = again.violation ?? { at: 0, invariant: "", seq: 0 }
  // What an error tells of the calls that led to it is another each time.
  if (at !== violation.at || invariant !== violation.invariant || seq !== violation.seq) return undefined
  const parts = partsOf(spec, environment.world)
  return { ...parts, faults: [...new Set([...(parts.faults ?? []), ...again.faults.map(({ fault }) => fault)])] }
}

/** What still breaks the rule when as much as possible is left out. */
export const shrunken = (
  spec: SimulationSpec,
  violation: Violation,
  environment: SimulationEnvironment,
  planted?: PlantedNodes
): ShrunkFailure => {
  const replay = commandOf(spec)
  const isExtended = !("nodes" in spec) && environment.extension !== undefined
  const parts = isExtended ? partsPlayed(spec, violation, environment) : partsOf(spec, environment.world)
  if (parts === undefined) return { replay, command: replay, spec, violation, tried: 0, note: UNSTEADY }
  const smaller = shrink(spec, parts, violation, (tried) => outcomeOf(tried, environment, planted).violation)
  return { replay, command: commandOf(smaller.spec), ...smaller }
}

/** A broken rule as lines of text, with the command that replays it. */
export const explainViolation = ({ invariant, detail, seq }: Violation, replay: string): string =>
  `${invariant}: ${detail}\nafter event ${seq}\nreplay        ${replay}`

/** The same, and the smaller scenario, or why there is none. */
export const explainFailure = (
  violation: Violation,
  { command, note, replay, violation: smaller }: ShrunkFailure
): string =>
  [
    explainViolation(violation, replay),
    ...(note === undefined ? [`smaller       ${command}`, `              ${smaller.detail}`] : [note])
  ].join("\n")
