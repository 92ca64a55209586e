import { describe, expect, it } from "bun:test"
import { makeScenario } from "../../../engine/simulation/Scenario.ts"
import { commandOf, shrink, type SimulationSpec } from "../../../engine/simulation/Shrink.ts"
import type { Planted } from "../../../engine/simulation/SimulationEnvironment.ts"
import { readArguments } from "../../../engine/simulation/SimulationArguments.ts"
import { PLANTED_BUGS } from "../../lib/PlantedBugs.ts"
import { faulted, simulated } from "../../lib/Simulations.ts"

const MOST_SEEDS = 500

/** The first seed that shows a bug, and the rule it breaks. */
const found = (planted: Planted): { readonly seed: number; readonly invariant: string } | undefined => {
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const { violation } = simulated(faulted(seed), planted)
    if (violation !== null) return { seed, invariant: violation.invariant }
  }
  return undefined
}

describe("Auditor", () => {
  for (const [part, bugs] of Object.entries(PLANTED_BUGS)) {
    for (const [bug, planted] of Object.entries(bugs)) {
      it(`finds a ${part} that ${bug}, within ${MOST_SEEDS} seeds`, () => {
        expect(found(planted)).toBeDefined()
      })
    }
  }

  it("finds a failure that shrinks to a scenario of a few parts, whose command replays it", () => {
    const planted = PLANTED_BUGS["winner"]!["breaks ties by the greatest hash"]!
    const { seed } = found(planted)!
    const spec = faulted(seed)
    const scenario = makeScenario(spec)
    const numbers = (some: ReadonlyArray<{ readonly index: number }>) => some.map(({ index }) => index)
    const parts = {
      orders: numbers(scenario.orders),
      traders: numbers(scenario.traders),
      faults: numbers(scenario.faults),
      bots: []
    }
    const violationOf = (one: SimulationSpec) => ("nodes" in one ? null : simulated(one, planted).violation)
    const { spec: smaller } = shrink(spec, parts, violationOf(spec)!, violationOf)
    expect(smaller.keep?.orders?.length).toBe(1)
    expect(smaller.keep?.traders?.length).toBe(2)
    expect(smaller.keep?.faults).toEqual([])
    const replayed = readArguments(commandOf(smaller).replace("npm run sim -- ", "").split(" "))
    expect(typeof replayed === "string" ? replayed : violationOf(replayed.spec)?.invariant).toBe("winner")
  })
})
