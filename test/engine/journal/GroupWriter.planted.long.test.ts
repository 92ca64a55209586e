import { describe, expect, it } from "bun:test"
import { PLANTED_WRITES } from "../../lib/journal/PlantedWrites.ts"
import { playSeeds } from "../../lib/journal/WriteScenario.ts"

const MINUTES = 60_000

/** A planted fault is found within so many. */
const PLANTED_SEEDS = 500

describe("the write path with a fault of its own is found out:", () => {
  for (const [name, parts] of Object.entries(PLANTED_WRITES)) {
    it(
      name,
      () =>
        expect(playSeeds({ seeds: PLANTED_SEEDS, permille: 40, parts, isOverAtFirst: true }).problems).not.toEqual([]),
      5 * MINUTES
    )
  }
})
