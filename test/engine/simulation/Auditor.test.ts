import { describe, expect, it } from "bun:test"
import type { Planted } from "../../../engine/simulation/Simulation.ts"
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
})
