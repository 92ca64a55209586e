import { describe, expect, it } from "bun:test"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import type { AuctionFigures } from "../../../scripts/compare/AuctionFigures.ts"
import { compareRules, comparisonText, type SeedPair } from "../../../scripts/compare/RuleComparison.ts"

const RULES = ["weighted", "quorum"] as const

const figures = (wins: number, machineWins = 0): AuctionFigures => ({
  orders: 100,
  commitments: 300,
  wins,
  machineWins,
  voids: 1,
  profit: wins * 10
})

/** Seeds that differ a lot from one another, and little from one rule to the other: a mean of `shift`, within one. */
const pairs = (seed: number, count: number, shift: number): ReadonlyArray<SeedPair> => {
  const random = new SeededRandom(seed, "pairs")
  return Array.from({ length: count }, (_, index) => {
    const wins = random.between(20, 80)
    return { seed: index, one: figures(wins), other: figures(wins + shift + random.between(-1, 2)) }
  })
}

/** Seeds whose difference is spread itself. */
const noisy = (seed: number, count: number, shift: number): ReadonlyArray<SeedPair> => {
  const random = new SeededRandom(seed, "noisy")
  return Array.from({ length: count }, (_, index) => {
    const wins = random.between(20, 80)
    return {
      seed: index,
      one: figures(wins),
      other: figures(wins + shift + random.between(-9, 10) + random.between(-9, 10))
    }
  })
}

describe("A comparison of rules", () => {
  it("tells the means of both and their difference", () => {
    const { measures, seeds } = compareRules(RULES, [
      { seed: 1, one: figures(10, 5), other: figures(20, 10) },
      { seed: 2, one: figures(30, 15), other: figures(40, 50 / 2) }
    ])
    expect(seeds).toBe(2)
    expect(measures.wins).toMatchObject({ one: 20, other: 30, difference: 10, interval: [10, 10] })
    expect(measures.profit.difference).toBe(100)
    expect(measures.voids).toMatchObject({ difference: 0, interval: [0, 0] })
    expect(measures.machine_share.one).toBeCloseTo(0.5)
    expect(measures.machine_share.difference).toBeCloseTo(35 / 60 - 0.5)
  })

  it("has intervals that hold the true difference about 19 times in 20", () => {
    const held = Array.from({ length: 60 }, (_, seed) => {
      const [low, high] = compareRules(RULES, pairs(seed, 40, 3)).measures.wins.interval ?? [0, 0]
      return low <= 3 && high >= 3
    }).filter((holds) => holds).length
    expect(held).toBeGreaterThanOrEqual(51)
    expect(held).toBeLessThan(61)
  })

  it("has the intervals of a textbook: mean ± 1.96 standard errors of the paired differences", () => {
    const widths: Array<number> = []
    for (let seed = 0; seed < 20; seed++) {
      const some = noisy(seed, 200, 2)
      const differences = some.map(({ one, other }) => other.wins - one.wins)
      const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
      const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1)
      const error = Math.sqrt(variance / differences.length)
      const [low, high] = compareRules(RULES, some).measures.wins.interval ?? [0, 0]
      expect(Math.abs(low - (mean - 1.96 * error))).toBeLessThan(0.25 * error)
      expect(Math.abs(high - (mean + 1.96 * error))).toBeLessThan(0.25 * error)
      widths.push((high - low) / (2 * 1.96 * error))
    }
    expect(widths.reduce((sum, width) => sum + width, 0) / widths.length).toBeCloseTo(1, 1)
  })

  it("has the interval of a ratio by the delta method", () => {
    const some = noisy(5, 300, 0).map((pair, index) => ({
      ...pair,
      one: { ...pair.one, machineWins: Math.floor(pair.one.wins / 2) },
      other: { ...pair.other, machineWins: Math.floor(pair.other.wins * (index % 2 === 0 ? 0.5 : 0.7)) }
    }))
    const share = (of: "one" | "other") =>
      some.reduce((sum, pair) => sum + pair[of].machineWins, 0) / some.reduce((sum, pair) => sum + pair[of].wins, 0)
    const meanWins = (of: "one" | "other") => some.reduce((sum, pair) => sum + pair[of].wins, 0) / some.length
    const parts = some.map(({ one, other }) => {
      const [before, after] = [share("one"), share("other")]
      return (
        (other.machineWins - after * other.wins) / meanWins("other") -
        (one.machineWins - before * one.wins) / meanWins("one")
      )
    })
    const error = Math.sqrt(parts.reduce((sum, part) => sum + part ** 2, 0)) / some.length
    const { difference, interval } = compareRules(RULES, some).measures.machine_share
    const [low, high] = interval ?? [0, 0]
    expect(Math.abs(low - (difference! - 1.96 * error))).toBeLessThan(0.3 * error)
    expect(Math.abs(high - (difference! + 1.96 * error))).toBeLessThan(0.3 * error)
  })

  it("finds a small difference because the seeds are paired", () => {
    const { interval } = compareRules(RULES, pairs(7, 60, 1)).measures.wins
    expect(interval?.[0]).toBeGreaterThan(0)
    expect(interval?.[1]).toBeLessThan(2)
  })

  it("is the same for the same pairs, and says so where there is nothing to compare", () => {
    const some = pairs(3, 20, 2)
    expect(compareRules(RULES, some)).toEqual(compareRules(RULES, some))
    const nothing = compareRules(RULES, [])
    expect(nothing.measures.wins).toEqual({ one: null, other: null, difference: null, interval: null })
    expect(comparisonText(nothing)).toContain("–")
    const noWins = compareRules(RULES, [{ seed: 1, one: figures(0), other: figures(0) }])
    expect(noWins.measures.machine_share).toEqual({ one: null, other: null, difference: null, interval: null })
  })

  it("reads as a table", () => {
    const text = comparisonText(compareRules(RULES, [{ seed: 1, one: figures(10, 5), other: figures(8, 6) }]))
    expect(text.split("\n")[0]).toBe(
      "1 seeds under both rules; a difference is quorum less weighted, its interval a paired bootstrap"
    )
    expect(text).toMatch(/^wins a seed +10\.00 +8\.00 +-2\.00 +-2\.00 to -2\.00$/m)
    expect(text).toMatch(/^machines' share of wins, % +50\.00 +75\.00 +\+25\.00 +\+25\.00 to \+25\.00$/m)
  })
})
