import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { fineFromAmount } from "../../../engine/arena/FinePrice.ts"
import { keyedHash } from "../../../engine/simulation/SimulationHashing.ts"
import { PriceFeed } from "../../../engine/simulation/PriceFeed.ts"
import {
  dailyVolatility,
  FEWEST_MOVES,
  lastOf,
  type PricePast,
  walkFrom
} from "../../../engine/simulation/WorldPrices.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { fromUnits as rate } from "../../../engine/money/Rate.ts"
import { environment } from "../../lib/Simulations.ts"

const DAY = 86_400_000

const past = (prices: ReadonlyArray<number>, apart = DAY): ReadonlyArray<PricePast> =>
  prices.map((price, index) => ({ at: index * apart, price: fromUnits(BigInt(Math.round(price * 1e6))) }))

/** Prices that go up and down by one part, in turn. */
const zigzag = (part: number, moves: number): ReadonlyArray<number> =>
  Array.from({ length: moves + 1 }, (_, index) => (index % 2 === 0 ? 1_000 : 1_000 * (1 + part)))

const FAIR = { isStalled: false, factor: 1_000_000 }

describe("The volatility of a day", () => {
  it("is the root of the mean square of a day's moves, as in the textbook", () => {
    const prices = [100, 102, 99, 101, 101, 104, 103, 100, 98, 99, 101]
    const squares = prices.slice(1).map((price, index) => (price / prices[index]! - 1) ** 2)
    const expected = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
    expect(Number(dailyVolatility(past(prices))) / 1e12).toBeCloseTo(expected, 9)
  })

  it("grows with the root of the time that the same moves take less", () => {
    const day = Number(dailyVolatility(past(zigzag(0.01, 20))))
    const hour = Number(dailyVolatility(past(zigzag(0.01, 20), DAY / 24)))
    expect(hour / day).toBeCloseTo(Math.sqrt(24), 6)
  })

  it("is not told from few moves, and does not depend on the sequence", () => {
    expect(dailyVolatility(past(zigzag(0.01, FEWEST_MOVES - 1)))).toBeNull()
    const points = past(zigzag(0.02, 12))
    expect(dailyVolatility(points.toReversed())).toBe(dailyVolatility(points))
    expect(lastOf(points.toReversed())).toBe(points.at(-1)?.price)
    expect(lastOf([])).toBeUndefined()
  })
})

/** The moves of an asset in a feed that goes on from a world's prices, looked at so often. */
const movesOf = (asset: string, prices: PriceFeedPast["prices"], step: number, looks: number, seed: number) => {
  const hash = keyedHash(environment.hashing.link, seed, "walk")
  const feed = new PriceFeed(environment.history, hash, { prices, path: null, step })
  for (let look = 1; look <= looks; look++) feed.record(look * 20_000, FAIR)
  return feed.since(asset, 0).map(({ price }, index): PricePast => ({ at: index * step, price }))
}

type PriceFeedPast = NonNullable<ConstructorParameters<typeof PriceFeed>[2]>

describe("A feed that goes on from recorded prices", () => {
  it("begins at the last one and draws from moves whose deviation is the recorded volatility", () => {
    const hash = keyedHash(environment.hashing.link, 1, "walk")
    const last = fromUnits(5_000_000_000n)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1_000, max: 86_400_000 }), (permille, step) => {
        const volatility = rate(BigInt(permille) * 1_000_000_000n)
        const { series } = walkFrom(environment.history, hash, {
          prices: { XAU: { last, volatility } },
          path: null,
          step
        })
        const gold = series.find(({ asset }) => asset === "XAU")
        const squares = (gold?.moves ?? []).map((move) => (Number(move) / 1e24) ** 2)
        const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
        expect(deviation / ((permille / 1_000) * Math.sqrt(step / DAY))).toBeCloseTo(1, 6)
        expect(gold?.start).toBe(fineFromAmount(last))
      })
    )
  })

  it("moves in the feed as in the walk: a measured volatility comes out again", () => {
    const volatility = rate(30_000_000_000n)
    const moves = movesOf("XAU", { XAU: { last: fromUnits(5_000_000_000n), volatility } }, 150_000, 800, 3)
    const measured = Number(dailyVolatility(moves)) / Number(volatility)
    expect(measured).toBeGreaterThan(0.8)
    expect(measured).toBeLessThan(1.25)
    expect(Number(moves[0]?.price) / 5_000_000_000).toBeCloseTo(1, 2)
  })

  it("moves what is not measured by as much more than in the real days as the rest", () => {
    const last = fromUnits(1_000_000_000n)
    const measured = (volatility: bigint) => {
      const prices = { XAU: { last, volatility: rate(volatility) } }
      return Number(dailyVolatility(movesOf("XAG", prices, 60_000, 300, 7)))
    }
    expect(measured(40_000_000_000n) / measured(10_000_000_000n)).toBeCloseTo(4, 1)
  })

  it("has the recorded prices first, and goes on from the last of them", () => {
    const path = {
      assets: ["EUR/USD", "XAU"],
      prices: [1, 2, 3].map((look) => [look, 100 * look].map((usd) => fromUnits(BigInt(usd) * 1_000_000n)))
    }
    const feed = new PriceFeed(environment.history, keyedHash(environment.hashing.link, 1, "walk"), {
      prices: {},
      path,
      step: 60_000
    })
    for (let look = 1; look <= 5; look++) feed.record(look * 20_000, FAIR)
    const gold = feed.since("XAU", 0).map(({ price }) => Number(price) / 1e6)
    expect(gold.slice(0, 3)).toEqual([100, 200, 300])
    expect(gold[3]! / 300).toBeCloseTo(1, 1)
    expect(gold[3]).not.toBe(300)
  })
})
