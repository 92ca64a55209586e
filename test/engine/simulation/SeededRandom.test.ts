import { describe, expect, it } from "bun:test"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"

const draws = (seed: number, label: string, count = 5) => {
  const random = new SeededRandom(seed, label)
  return Array.from({ length: count }, () => random.next())
}

describe("SeededRandom", () => {
  it("draws the same numbers for the same seed and label, for ever", () => {
    expect(draws(42, "clock", 3)).toEqual(draws(42, "clock", 3))
    expect(draws(42, "clock", 3)).toEqual([2_621_532_492, 4_042_254_795, 793_486_368])
  })

  it("draws other numbers for another seed or label, beyond 32 bits too", () => {
    const streams = [draws(1, "a"), draws(2, "a"), draws(1, "b"), draws(1 + 2 ** 32, "a")]
    expect(new Set(streams.map(String)).size).toBe(streams.length)
  })

  it("is uniform enough below a bound, and in no place beyond it", () => {
    const random = new SeededRandom(7, "dice")
    const counts = Array.from({ length: 6 }, () => 0)
    for (let toss = 0; toss < 60_000; toss++) counts[random.below(6)]! += 1
    expect(counts.length).toBe(6)
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })

  it("keeps to its ranges", () => {
    const random = new SeededRandom(8, "ranges")
    for (let toss = 0; toss < 1_000; toss++) {
      expect(random.between(3, 5)).toBeOneOf([3, 4])
      expect(random.pick(["x", "y"])).toBeOneOf(["x", "y"])
      const double = random.nextDoubleUnsafe()
      expect(double >= 0 && double < 1).toBe(true)
      expect(Number.isSafeInteger(random.nextIntUnsafe())).toBe(true)
    }
    expect([random.chance(0), random.chance(1_000)]).toEqual([false, true])
  })
})
