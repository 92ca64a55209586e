import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import {
  AVERAGING_MILLIS,
  averagePrice,
  exitPrice,
  isFinal,
  profitOf,
  referenceMedian,
  SETTLEMENT_WAIT_MILLIS
} from "../../../engine/arena/SettlementPrice.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { anyMedians, commitment, median, OPENING, usd } from "../../lib/ArenaArbitraries.ts"
import { naiveMean, naiveProfit } from "../../lib/NaiveArena.ts"
import { property } from "../../lib/Property.ts"

const EXPIRY = OPENING + 900_000
const SETTLEMENT = EXPIRY + 900_000
const DAY = 86_400_000

describe("referenceMedian", () => {
  const before = median(EXPIRY - 1, "99")
  const unsafe = median(EXPIRY, "100", false)
  const at = median(EXPIRY, "101")
  const last = median(SETTLEMENT - 1, "102")
  const late = median(SETTLEMENT, "103")

  it.each([
    [[before, unsafe, at, last, late], at],
    [[before, unsafe, last, late], last],
    [[before, unsafe, late], undefined],
    [[], undefined]
  ])("is the first safe one at or after expiry and before settlement: %#", (medians, reference) => {
    expect(referenceMedian(medians, EXPIRY, SETTLEMENT)).toEqual(reference)
  })
})

describe("isFinal", () => {
  it.each([
    [SETTLEMENT - 1, true, false],
    [SETTLEMENT, true, true],
    [SETTLEMENT, false, false],
    [SETTLEMENT + 1, true, true],
    [SETTLEMENT + DAY - 1, true, true],
    [SETTLEMENT + DAY, true, false]
  ])("with a median at %p, safe %p: %p", (at, safe, final) => {
    expect(isFinal([median(EXPIRY, "100"), median(at, "100", safe)], SETTLEMENT)).toBe(final)
  })

  it("waits for 24 hours", () => {
    expect(SETTLEMENT_WAIT_MILLIS).toBe(DAY)
  })
})

describe("averagePrice", () => {
  it("is the reference alone where nothing follows", () => {
    expect(averagePrice([median(EXPIRY, "100")], EXPIRY, SETTLEMENT)).toBe(usd("100"))
  })

  it("weighs each median by the time until the next safe one", () => {
    const medians = [
      median(EXPIRY, "100"),
      median(EXPIRY + 300_000, "400", false),
      median(EXPIRY + 600_000, "130"),
      median(SETTLEMENT, "999")
    ]
    expect(averagePrice(medians, EXPIRY, SETTLEMENT)).toBe(usd("110"))
  })

  it("rounds down", () => {
    const medians = [median(SETTLEMENT - 3, fromUnits(10n)), median(SETTLEMENT - 1, fromUnits(12n))]
    expect(averagePrice(medians, SETTLEMENT - 3, SETTLEMENT)).toBe(fromUnits(10n))
  })

  it("begins 900 s before settlement, with the price that stood then", () => {
    expect(AVERAGING_MILLIS).toBe(900_000)
    const start = SETTLEMENT - 900_000
    const medians = [median(start - 500_000, "1"), median(start - 100_000, "100"), median(start + 450_000, "200")]
    expect(averagePrice(medians, start - 500_000, SETTLEMENT)).toBe(usd("150"))
  })

  it("begins with the reference where that is later", () => {
    const medians = [median(SETTLEMENT - 30, "1"), median(SETTLEMENT - 20, "100"), median(SETTLEMENT - 5, "200")]
    expect(averagePrice(medians, SETTLEMENT - 20, SETTLEMENT)).toBe(usd("125"))
  })

  it("takes the last of several medians of one moment", () => {
    const medians = [median(SETTLEMENT - 20, "1"), median(SETTLEMENT - 20, "100"), median(SETTLEMENT - 20, "200")]
    expect(averagePrice(medians, SETTLEMENT - 20, SETTLEMENT)).toBe(usd("200"))
  })

  it("agrees with a mean of every millisecond", () => {
    const fixture = fc
      .integer({ min: 1, max: 400 })
      .chain((length) => fc.tuple(fc.constant(length), anyMedians(SETTLEMENT - length, SETTLEMENT + 40)))
    fc.assert(
      fc.property(fixture, ([length, medians]) => {
        const all = [median(SETTLEMENT - length, "100"), ...medians]
        expect(averagePrice(all, SETTLEMENT - length, SETTLEMENT) as bigint).toBe(
          naiveMean(all, SETTLEMENT - length, SETTLEMENT, 1)
        )
      }),
      property()
    )
  })

  it("agrees with it over hours, on a grid of ten seconds", () => {
    const fixture = fc
      .integer({ min: 1, max: 360 })
      .chain((length) =>
        fc.tuple(fc.constant(length * 10_000), anyMedians(SETTLEMENT - length * 10_000, SETTLEMENT, 10_000))
      )
    fc.assert(
      fc.property(fixture, ([length, medians]) => {
        const all = [median(SETTLEMENT - length, "100"), ...medians]
        const mean = averagePrice(all, SETTLEMENT - length, SETTLEMENT)
        expect(mean as bigint).toBe(naiveMean(all, SETTLEMENT - length, SETTLEMENT, 10_000))
        expect(averagePrice([...all, median(SETTLEMENT + 1, "7")], SETTLEMENT - length, SETTLEMENT)).toBe(mean)
      }),
      property()
    )
  })
})

describe("exitPrice", () => {
  const bid = commitment(1, { exitPrice: usd("110") })
  const reached = { price: usd("110"), takeProfit: true }
  const mean = { price: usd("100"), takeProfit: false }
  const exit = (...more: ReadonlyArray<ReturnType<typeof median>>) =>
    exitPrice(bid, [median(EXPIRY - 5, "111"), median(EXPIRY, "100"), ...more], EXPIRY, SETTLEMENT)

  it("is the mean where no median reached the take-profit", () => {
    expect(exit()).toEqual(mean)
    expect(exit(median(SETTLEMENT - 1, "109.999999")).takeProfit).toBe(false)
  })

  it("is the take-profit itself, where a safe median reached it, at settlement too", () => {
    expect(exit(median(EXPIRY + 1, "110"))).toEqual(reached)
    expect(exit(median(EXPIRY + 1, "200"))).toEqual(reached)
    expect(exit(median(SETTLEMENT, "110"))).toEqual(reached)
  })

  it("is the mean where only an unsafe or a later median reached it", () => {
    expect(exit(median(EXPIRY + 1, "110", false))).toEqual(mean)
    expect(exit(median(SETTLEMENT + 1, "110"))).toEqual(mean)
  })

  it("is the take-profit where the reference reached it", () => {
    expect(exitPrice(bid, [median(EXPIRY, "110")], EXPIRY, SETTLEMENT)).toEqual(reached)
  })
})

describe("profitOf", () => {
  const bid = (quantity: bigint, collateral: bigint): Commitment =>
    commitment(1, { quantity: fromUnits(quantity), collateral: fromUnits(collateral) })

  it.each([
    [2_000_000n, 100n, 100n, 110n, 20n],
    [2_000_000n, 100n, 110n, 100n, -20n],
    [500_000n, 100n, 100n, 103n, 1n],
    [500_000n, 100n, 103n, 100n, -1n],
    [100_000n, 100n, 103n, 100n, 0n],
    [2_000_000n, 100n, 100n, 150n, 100n],
    [2_000_000n, 100n, 100n, 151n, 100n],
    [2_000_000n, 100n, 150n, 100n, -100n],
    [2_000_000n, 100n, 151n, 100n, -100n],
    [2_000_000n, 100n, 100n, 100n, 0n]
  ])("of quantity %p with collateral %p from %p to %p is %p", (quantity, collateral, clearing, price, profit) => {
    expect(profitOf(bid(quantity, collateral), fromUnits(clearing), fromUnits(price))).toBe(fromUnits(profit))
  })

  it("stays within the collateral, toward zero, and agrees with a naive one", () => {
    const price = fc.oneof(fc.bigInt({ min: 1n, max: 400n }), fc.bigInt({ min: 1n, max: 10n ** 16n })).map(fromUnits)
    const sizes = fc.tuple(
      fc.oneof(fc.bigInt({ min: 1n, max: 4_000_000n }), fc.bigInt({ min: 1n, max: 10n ** 12n })),
      fc.bigInt({ min: 1n, max: 10n ** 14n })
    )
    fc.assert(
      fc.property(sizes, price, price, ([quantity, collateral], clearing, exit) => {
        const one = bid(quantity, collateral)
        const profit = profitOf(one, clearing, exit)
        expect(profit as bigint).toBe(naiveProfit(one, clearing, exit))
        expect(profit <= collateral && profit >= -collateral).toBe(true)
        expect(profitOf(one, exit, clearing)).toBe(fromUnits(-profit))
      }),
      property()
    )
  })
})
