import { describe, expect, it } from "bun:test"
import { brokenSeeds, simulated } from "../../lib/Simulations.ts"

const SEEDS = 2_000
const AT_ONCE = 250
const FIRST_SEED = 1_000

describe("Simulation, long", () => {
  for (let from = FIRST_SEED; from < FIRST_SEED + SEEDS; from += AT_ONCE) {
    it(`keeps every rule under faults, seeds ${from} to ${from + AT_ONCE - 1}`, () => {
      expect(brokenSeeds(from, AT_ONCE)).toEqual([])
    }, 300_000)
  }

  it("keeps every rule with many traders, with and without faults", () => {
    for (const faults of [false, true]) {
      expect(simulated({ seed: 77, orders: 80, traders: 60, faults }).violation).toBeNull()
    }
  }, 120_000)
})
