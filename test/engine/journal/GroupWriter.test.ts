import { describe, expect, it } from "bun:test"
import { CRASH_POINTS, playPoint } from "../../lib/journal/CrashPoints.ts"
import { playSeeds } from "../../lib/journal/WriteScenario.ts"

const SEEDS = 20
const SEEDS_A_POINT = 2

describe("the write path", () => {
  it("loses and doubles nothing, tells what is there alone, and has the tables follow, whatever fails when", () => {
    const { problems, servers, writes } = playSeeds({ seeds: SEEDS, permille: 40 })
    expect(problems).toEqual([])
    expect(Math.min(writes, servers)).toBeGreaterThan(SEEDS)
  })
})

describe("the write path, cut", () => {
  for (const point of CRASH_POINTS) {
    it(point.name, () => expect(playPoint(point, SEEDS_A_POINT).problems).toEqual([]))
  }
})
