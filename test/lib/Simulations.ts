import { FAIRNESS_RULES } from "../../engine/arena/Fairness.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { simulate } from "../../engine/simulation/Simulation.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import { makeScenario, type ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import type { SimulationResult } from "../../engine/simulation/SimulationResult.ts"
import { extensionOf } from "../../scripts/ExtensionLoading.ts"
import { compression, hashing, readHistory } from "../../scripts/SimulationPlatform.ts"
import { bidOf } from "../../src/arena/ProgramBids.ts"

const history = readHistory(new URL("../../data/daily-rates-per-usd.csv", import.meta.url))

export const environment = { compression, hashing, history }

/** Ten orders and eight traders, with faults, under a reading of the 3/4 rule that is drawn from the seed. */
export const faulted = (seed: number): ScenarioSpec => ({
  seed,
  orders: 10,
  traders: 8,
  faults: true,
  rule: new SeededRandom(seed, "rule").pick(FAIRNESS_RULES)
})

export const simulated = (spec: ScenarioSpec, planted: Planted = {}): SimulationResult =>
  simulate(makeScenario(spec), { ...environment, planted })

/** Runs a scenario with what a module of somebody's own would export. */
export const extended = (spec: ScenarioSpec, exported: unknown): SimulationResult =>
  simulate(makeScenario(spec), { ...environment, extension: extensionOf(exported, bidOf) })

/** The seeds of a range whose simulation breaks a rule, with the rule. */
export const brokenSeeds = (from: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => simulated(faulted(from + index)))
    .filter(({ violation }) => violation !== null)
    .map(({ seed, violation }) => `${seed}: ${violation?.invariant}, ${violation?.detail}`)

/** Bots beside a few traders, with faults, under a reading of the 3/4 rule that is drawn from the seed. */
export const withBots = (seed: number, orders = 16, bots = 6): ScenarioSpec => ({
  ...faulted(seed),
  orders,
  bots,
  traders: 4
})
