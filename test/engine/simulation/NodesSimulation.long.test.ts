import { describe, expect, it } from "bun:test"
import { PLANTED_NODES } from "../../lib/PlantedNodes.ts"
import { brokenWorlds, firstBroken } from "../../lib/SimulatedNodes.ts"

const SEEDS = 500
const FIRST_SEED = 1_000

/** A planted fault is found within so many. */
const PLANTED_SEEDS = 500

describe("NodesSimulation, long", () => {
  it("keeps every rule, whatever the adversary does", () => {
    expect(brokenWorlds(FIRST_SEED, SEEDS)).toEqual([])
  }, 300_000)

  for (const [name, planted] of Object.entries(PLANTED_NODES)) {
    it(`finds that ${name}`, () => expect(firstBroken(planted, PLANTED_SEEDS)).toBeDefined(), 300_000)
  }
})
