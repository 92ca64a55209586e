import { PctScheduler } from "./PctScheduler.ts"
import type { RunningSimulation } from "./RunningSimulation.ts"
import type { Scenario } from "./Scenario.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { SimulatedWorld } from "./SimulatedWorld.ts"
import type { SimulationEnvironment } from "./SimulationEnvironment.ts"
import type { SimulationResult } from "./SimulationResult.ts"
import { VirtualScheduler } from "./VirtualScheduler.ts"

/** Begins a scenario, for who looks at it on its way. */
export const beginSimulation = (scenario: Scenario, environment: SimulationEnvironment): RunningSimulation => {
  const { depth, seed } = scenario.spec
  const uniform = new VirtualScheduler(new SeededRandom(seed, "scheduler"))
  const begun = (...given: ConstructorParameters<typeof SimulatedWorld>): SimulatedWorld => {
    const world = new SimulatedWorld(...given)
    world.begin()
    return world
  }
  if (depth === undefined) return begun(scenario, environment, uniform)
  // How long the run is that the change points are drawn in is only known once it has been played.
  const { onProgress: _, onStep: __, ...unwatched } = environment
  ended(begun(scenario, { ...unwatched, audit: false }, uniform))
  return begun(
    scenario,
    environment,
    new PctScheduler(new SeededRandom(seed, "priorities"), { depth, steps: uniform.steps })
  )
}

const ended = (running: RunningSimulation): SimulationResult => {
  while (running.advance());
  return running.end()
}

/** Runs a scenario to its end, or to the first rule that does not hold. The same scenario gives the same bytes. */
export const simulate = (scenario: Scenario, environment: SimulationEnvironment): SimulationResult =>
  ended(beginSimulation(scenario, environment))
