import { describe, expect, it } from "bun:test"
import { CRASH_POINTS, playPoint } from "../../lib/journal/CrashPoints.ts"
import { PLANTED_WRITES } from "../../lib/journal/PlantedWrites.ts"
import { playSeeds } from "../../lib/journal/WriteScenario.ts"

const MINUTES = 60_000

const SEEDS = 400
const SEEDS_A_POINT = 200

/** A planted fault is found within so many. */
const PLANTED_SEEDS = 500

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

describe("the write path, cut", () => {
  for (const point of CRASH_POINTS) {
    it(
      point.name,
      () => {
        const { problems, reached } = playPoint(point, SEEDS_A_POINT)
        expect(problems).toEqual([])
        expect(reached).toBeGreaterThan(SEEDS_A_POINT / 10)
      },
      5 * MINUTES
    )
  }
})

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
