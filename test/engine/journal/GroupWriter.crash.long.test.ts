import { describe, expect, it } from "bun:test"
import { CRASH_POINTS, playPoint } from "../../lib/journal/CrashPoints.ts"

const MINUTES = 60_000

const SEEDS_A_POINT = 200

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
