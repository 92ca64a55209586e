import { describe, expect, it } from "bun:test"
import { INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import { PriceFeed } from "../../../engine/simulation/PriceFeed.ts"
import { keyedHash } from "../../../engine/simulation/SimulationHashing.ts"
import { environment } from "../../lib/Simulations.ts"

const FAIR = { isStalled: false, factor: 1_000_000 }
const feedOf = (seed = 1) => new PriceFeed(environment.history, keyedHash(environment.hashing.link, seed, "walk"))

describe("PriceFeed", () => {
  it("records a safe median of everything, which moves", () => {
    const feed = feedOf()
    expect(feed.record(5_000, FAIR)).toMatchObject({ problems: [] })
    feed.record(10_000, FAIR)
    const gold = feed.since("XAU", 0)
    expect(gold.map(({ at, safe }) => [at, safe])).toEqual([
      [5_000, true],
      [10_000, true]
    ])
    expect(gold[0]?.price).not.toBe(gold[1]!.price)
    expect(feed.at(10_000).size).toBe(INSTRUMENTS.length)
    expect(feed.since("XAU", 5_001).length).toBe(1)
  })

  it("is a function of its key", () => {
    const [one, same, other] = [feedOf(1), feedOf(1), feedOf(2)]
    for (const feed of [one, same, other]) feed.record(5_000, FAIR)
    expect(same.medians).toEqual(one.medians)
    expect(other.medians).not.toEqual(one.medians)
  })

  it("records nothing while it is stalled, and says that prices are missing and stale, for options too", () => {
    const feed = feedOf()
    feed.record(5_000, FAIR)
    const { recorded, problems } = feed.record(10_000, { ...FAIR, isStalled: true })
    expect(recorded).toEqual([])
    expect([...new Set(problems.map(({ scope }) => scope))].toSorted()).toEqual(["commodity", "fx", "gpu", "options"])
    expect([...new Set(problems.map(({ reason }) => reason))]).toEqual(["missing_price", "stale_price"])
    expect(feed.at(10_000).size).toBe(0)
  })

  it("records a price outside its band as unsafe", () => {
    const feed = feedOf()
    feed.record(5_000, FAIR)
    const { recorded, problems } = feed.record(10_000, { ...FAIR, factor: 1_300_000 })
    expect(recorded.every(({ safe }) => !safe)).toBe(true)
    expect(problems[0]?.reason).toBe("price_outside_band")
  })

  it("records no second median of one moment, and none before another", () => {
    const feed = feedOf()
    feed.record(5_000, FAIR)
    expect(feed.record(5_000, FAIR).recorded).toEqual([])
    expect(feed.record(4_000, FAIR).recorded).toEqual([])
  })
})
