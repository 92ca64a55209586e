import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { type FinePrice } from "../../../engine/arena/FinePrice.ts"
import { GPUS, INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import { demeanedReturns } from "../../../engine/arena/PriceHistory.ts"
import { advance, begin, CATCH_UP_STEPS, priceWalk, stepAt, type WalkState } from "../../../engine/arena/PriceWalk.ts"
import { dailyRates, keyed } from "../../lib/DailyRates.ts"
import { property } from "../../lib/Property.ts"

const walk = priceWalk(dailyRates, keyed("a"))
const nowhere = new Map<string, FinePrice>()
const steps = fc.integer({ min: 1, max: 60 })

const number = (state: WalkState, asset: string) => Number(state.prices.get(asset))
const rms = (values: ReadonlyArray<number>) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
const realReturns = (asset: string) =>
  demeanedReturns(dailyRates.closes.get(asset)!).map((value) => Number(value) / 1e12)

describe("PriceWalk", () => {
  it("begins at the last real closes and the list prices, with every instrument", () => {
    const { prices } = begin(walk, 0, nowhere)
    expect([...prices.keys()]).toEqual(INSTRUMENTS.map(({ asset }) => asset))
    expect(prices.get("XAU")).toBe(dailyRates.closes.get("XAU")!.at(-1)!)
    for (const { asset, listPrice } of GPUS) expect(prices.get(asset)).toBe((listPrice * 1_000_000n) as FinePrice)
  })

  it("goes on from given prices, and knows no others", () => {
    const given = new Map([
      ["XAU", 5n as FinePrice],
      ["DOGE", 7n as FinePrice]
    ])
    const { prices } = begin(walk, 0, given)
    expect(prices.get("XAU")).toBe(5n as FinePrice)
    expect(prices.has("DOGE")).toBe(false)
    expect(prices.get("XAG")).toBe(dailyRates.closes.get("XAG")!.at(-1)!)
  })

  it("is the same for a key, another for another key", () => {
    const from = begin(walk, 1_000, nowhere)
    expect(advance(priceWalk(dailyRates, keyed("a")), from, 1_060)).toEqual(advance(walk, from, 1_060))
    expect(advance(priceWalk(dailyRates, keyed("b")), from, 1_060)).not.toEqual(advance(walk, from, 1_060))
  })

  it("gives a step's prices whatever was asked before", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), steps, steps, (start, one, other) => {
        const from = begin(walk, start, nowhere)
        const between = advance(walk, from, start + one)
        expect(advance(walk, between, start + one + other)).toEqual(advance(walk, from, start + one + other))
        expect(advance(walk, between, start)).toBe(between)
      }),
      property(4)
    )
  })

  it("changes nothing but what it returns", () => {
    const from = begin(walk, 0, nowhere)
    const before = new Map(from.prices)
    advance(walk, from, 50)
    expect(from.prices).toEqual(before)
  })

  it("stays positive from any price", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 22n }), steps, (start, length) => {
        const from = begin(walk, 0, new Map(INSTRUMENTS.map(({ asset }) => [asset, start as FinePrice])))
        for (const price of advance(walk, from, length).prices.values()) expect(price >= 1_000_000n).toBe(true)
      }),
      property(4)
    )
  })

  it("moves every price in nearly every second, the small ones too", () => {
    let at = begin(walk, 0, nowhere)
    const moved = new Map<string, number>()
    for (let step = 1; step <= 200; step++) {
      const next = advance(walk, at, step)
      for (const [asset, price] of next.prices) {
        if (price !== at.prices.get(asset)) moved.set(asset, (moved.get(asset) ?? 0) + 1)
      }
      at = next
    }
    for (const { asset } of INSTRUMENTS) expect(moved.get(asset)).toBeGreaterThan(190)
  })

  it("moves on one real day's returns for all, √(second ÷ day) of them", () => {
    const from = begin(walk, 0, nowhere)
    const next = advance(walk, from, 1)
    const root = Math.sqrt(1 / 86_400)
    const moveOf = (asset: string) => (number(next, asset) / number(from, asset) - 1) / root
    const drawn = realReturns("BTC").findIndex((value) => Math.abs(value - moveOf("BTC")) < 1e-9)
    expect(drawn).toBeGreaterThanOrEqual(0)
    for (const asset of dailyRates.closes.keys()) expect(moveOf(asset)).toBeCloseTo(realReturns(asset)[drawn]!, 6)
  })

  it("has the volatility of the real days and no drift beyond sampling error", () => {
    const days = 2
    const returns = new Map<string, Array<number>>()
    const squares = new Map<string, number>()
    let at = begin(walk, 0, nowhere)
    for (let count = 0; count < days; count++) {
      const opening = at
      for (let quarter = 1; quarter <= 96; quarter++) {
        const next = advance(walk, at, opening.step + quarter * 900)
        for (const { asset } of INSTRUMENTS) {
          const move = number(next, asset) / number(at, asset) - 1
          squares.set(asset, (squares.get(asset) ?? 0) + move * move)
        }
        at = next
      }
      for (const { asset } of INSTRUMENTS) {
        returns.set(asset, [...(returns.get(asset) ?? []), number(at, asset) / number(opening, asset) - 1])
      }
    }
    for (const asset of dailyRates.closes.keys()) {
      const real = rms(realReturns(asset))
      const simulated = Math.sqrt(squares.get(asset)! / days)
      expect(simulated / real).toBeGreaterThan(0.75)
      expect(simulated / real).toBeLessThan(1.25)
      const total = returns.get(asset)!.reduce((sum, value) => sum + value, 0)
      expect(Math.abs(total)).toBeLessThan(4 * real * Math.sqrt(days))
    }
  })

  it("keeps the correlation of assets, and moves accelerators by half of silver's on their own", () => {
    let at = begin(walk, 0, nowhere)
    let [metals, gold, silver, gpus, hours] = [0, 0, 0, 0, 0]
    for (let step = 1; step <= 3_000; step++) {
      const next = advance(walk, at, step)
      const [xau, xag, h100] = ["XAU", "XAG", "H100-SXM"].map((asset) => number(next, asset) / number(at, asset) - 1)
      metals += xau! * xag!
      gold += xau! * xau!
      silver += xag! * xag!
      gpus += xag! * h100! * 2
      hours += h100! * h100!
      at = next
    }
    const [one, other] = [realReturns("XAU"), realReturns("XAG")]
    const real = one.reduce((sum, value, index) => sum + value * other[index]!, 0) / one.length / rms(one) / rms(other)
    expect(metals / Math.sqrt(gold * silver)).toBeCloseTo(real, 1)
    expect(Math.abs(gpus / silver)).toBeLessThan(0.1)
    expect(Math.sqrt(hours / silver)).toBeCloseTo(0.5, 1)
  })

  it("walks no more than the catch-up after a long pause", () => {
    const from = begin(walk, 0, nowhere)
    const far = 10 * CATCH_UP_STEPS
    expect(advance(walk, from, far)).toEqual(advance(walk, { ...from, step: far - CATCH_UP_STEPS }, far))
  })

  it("counts whole seconds", () => {
    expect([0, 999, 1_000, 1_999].map(stepAt)).toEqual([0, 0, 1, 1])
  })

  it("walks √speed as far in a second", () => {
    const from = begin(walk, 0, nowhere)
    const move = (speed: number) =>
      number(advance(priceWalk(dailyRates, keyed("a"), speed), from, 1), "BTC") / number(from, "BTC") - 1
    expect(move(100) / move(1)).toBeCloseTo(10, 6)
    for (const price of advance(priceWalk(dailyRates, keyed("a"), 3_600), from, 600).prices.values()) {
      expect(price > 1_000_000n).toBe(true)
    }
  })
})
