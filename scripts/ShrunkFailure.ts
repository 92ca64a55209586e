import { makeScenario, type ScenarioSpec } from "../engine/simulation/Scenario.ts"
import { commandOf, shrink } from "../engine/simulation/Shrink.ts"
import { simulate, type SimulationEnvironment } from "../engine/simulation/Simulation.ts"
import type { Violation } from "../engine/simulation/SimulationResult.ts"

/** A failing scenario and a smaller one that breaks the same rule, each with the one command that runs it. */
export interface ShrunkFailure {
  readonly replay: string
  readonly command: string
  /** What the smaller scenario breaks. */
  readonly violation: Violation
  /** How many scenarios were tried. */
  readonly tried: number
}

/** What still breaks the rule when as much as possible is left out. */
export const shrunken = (
  spec: ScenarioSpec,
  violation: Violation,
  environment: SimulationEnvironment
): ShrunkFailure => {
  const { orders, traders, faults, bots } = makeScenario(spec)
  const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)
  const parts = {
    orders: numbers(orders),
    traders: numbers(traders),
    faults: numbers(faults),
    bots: numbers(bots)
  }
  const smaller = shrink(spec, parts, violation, (tried) => simulate(makeScenario(tried), environment).violation)
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
