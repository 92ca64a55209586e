import { makeNodesScenario } from "../../engine/simulation/NodesScenario.ts"
import { type NodesResult, type PlantedNodes, simulateNodes } from "../../engine/simulation/NodesSimulation.ts"
import type { Violation } from "../../engine/simulation/SimulationResult.ts"
import { hashing } from "../../scripts/SimulationPlatform.ts"

/** Three nodes and sixty requests. */
export const simulatedNodes = (seed: number, planted: PlantedNodes = {}): NodesResult =>
  simulateNodes(makeNodesScenario({ seed, nodes: 3, requests: 60 }), hashing, planted)

/** The seeds of a range whose simulation breaks a rule, with the rule. */
export const brokenWorlds = (from: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => simulatedNodes(from + index))
    .filter(({ violation }) => violation !== null)
    .map(({ seed, violation }) => `${seed}: ${violation?.invariant}, ${violation?.detail}`)

/** What a planted fault breaks in the first of so many seeds in which it breaks anything. */
export const firstBroken = (planted: PlantedNodes | undefined, seeds: number, first = 1): Violation | undefined => {
  for (let seed = first; seed < first + seeds; seed++) {
    const { violation } = simulatedNodes(seed, planted)
    if (violation !== null) return violation
  }
  return undefined
}
