import { describe, expect, it } from "bun:test"
import { playSeeds } from "../../lib/journal/WriteScenario.ts"

const MINUTES = 60_000

const SEEDS = 400

/** Writes and reads that are mixed. */
const INTERLEAVED = 1_000_000

describe("the write path", () => {
  for (const permille of [15, 40, 120]) {
    it(
      `loses and doubles nothing, tells what is there alone, and has the tables follow, with ${permille} faults in 1,000 calls`,
      () => expect(playSeeds({ seeds: SEEDS, permille }).problems).toEqual([]),
      5 * MINUTES
    )
  }

  it(
    "has no read miss what was acknowledged before it began",
    () => {
      const { problems, reads, writes } = playSeeds({
        seeds: Number.POSITIVE_INFINITY,
        permille: 2,
        first: SEEDS + 1,
        size: { callers: 20, requests: 40 },
        until: INTERLEAVED
      })
      expect(problems).toEqual([])
      expect(reads + writes).toBeGreaterThanOrEqual(INTERLEAVED)
    },
    30 * MINUTES
  )
})
