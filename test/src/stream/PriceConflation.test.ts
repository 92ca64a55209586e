import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PriceUpdate } from "../../../src/stream/ArenaMessage.ts"
import { PRICE_INTERVAL_MILLIS, PriceConflation } from "../../../src/stream/PriceConflation.ts"
import { property } from "../../lib/Property.ts"

const update = (price: number, asset = "XAU"): PriceUpdate => ({
  assetType: "commodity",
  asset,
  price: fromUnits(BigInt(price)),
  source: "simulated",
  at: 0
})

describe("price conflation", () => {
  it("tells the first price at once and the newest of a second at its end", () => {
    const prices = new PriceConflation()
    expect(prices.offer(update(1), 0)).toEqual(update(1))
    expect(prices.offer(update(2), 10)).toBeUndefined()
    expect(prices.offer(update(3), 20)).toBeUndefined()
    expect(prices.due(999)).toEqual([])
    expect(prices.due(1_000)).toEqual([update(3)])
    expect(prices.due(5_000)).toEqual([])
  })

  it("tells nothing where nothing changed, also when a price went and came back", () => {
    const prices = new PriceConflation()
    prices.offer(update(1), 0)
    expect(prices.offer(update(1), 5_000)).toBeUndefined()
    prices.offer(update(2), 5_100)
    expect(prices.offer(update(3), 5_200)).toBeUndefined()
    expect(prices.offer(update(2), 5_300)).toBeUndefined()
    expect(prices.due(9_000)).toEqual([])
  })

  it("counts each asset for itself", () => {
    const prices = new PriceConflation()
    expect(prices.offer(update(1), 0)).toBeDefined()
    expect(prices.offer(update(1, "XAG"), 0)).toBeDefined()
  })

  it("keeps the interval, never repeats itself, and ends on the last price", () => {
    const steps = fc.array(fc.tuple(fc.nat(1_500), fc.integer({ min: 1, max: 3 })), { maxLength: 40 })
    fc.assert(
      fc.property(steps, (offers) => {
        const prices = new PriceConflation()
        const told: Array<readonly [number, bigint]> = []
        let now = 0
        for (const [pause, price] of offers) {
          for (const due of prices.due(now + pause)) told.push([now + pause, due.price])
          now += pause
          const atOnce = prices.offer(update(price), now)
          if (atOnce !== undefined) told.push([now, atOnce.price])
        }
        for (const due of prices.due(now + PRICE_INTERVAL_MILLIS)) told.push([now + PRICE_INTERVAL_MILLIS, due.price])
        for (const [index, [at, price]] of told.entries()) {
          const before = told[index - 1]
          if (before === undefined) continue
          expect(at - before[0]).toBeGreaterThanOrEqual(PRICE_INTERVAL_MILLIS)
          expect(price).not.toBe(before[1])
        }
        expect(told.at(-1)?.[1]).toBe(offers.length === 0 ? undefined : BigInt(offers.at(-1)![1]))
      }),
      property()
    )
  })
})
