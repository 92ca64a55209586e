import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  accrual,
  begin,
  changeYield,
  earned,
  type Index,
  INDEX_ONE,
  indexAt,
  type Segments,
  YEAR_MILLIS,
  yearlyGrowth
} from "../../../engine/arena/YieldIndex.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import * as Power from "../../../engine/money/Power.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const START = 1_790_000_000_000
const DAY = 86_400_000

const percent = (value: number): Rate.Rate => Rate.fromUnits(BigInt(value * 1000) * 10_000_000n)

const rates = fc.bigInt(0n, 2n * Rate.ONE).map(Rate.fromUnits)
const durations = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 3 * YEAR_MILLIS }))
const deposits = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, MAX)).map(fromUnits)

const histories = fc
  .tuple(rates, fc.array(fc.tuple(durations, rates), { maxLength: 5 }))
  .map(([apy, changes]): Segments => {
    let segments = begin(START, apy)
    for (const [after, next] of changes) segments = changeYield(segments, segments.at(-1)!.at + after, next)
    return segments
  })

describe("YieldIndex", () => {
  it("is 1 until it begins and grows by the yield in a year", () => {
    const segments = begin(START, percent(8))
    expect(INDEX_ONE).toBe((10n ** 27n) as Index)
    expect(indexAt(segments, START - 1)).toBe(INDEX_ONE)
    expect(indexAt(segments, START)).toBe(INDEX_ONE)
    expect<bigint>(indexAt(segments, START + YEAR_MILLIS)).toBe(1_080_000_000_000_000_000_000_000_000n)
    expect<bigint>(indexAt(segments, START + 2 * YEAR_MILLIS)).toBe(1_166_400_000_000_000_000_000_000_000n)
  })

  it("counts milliseconds of a year of 365 days, rounded down", () => {
    const segments = begin(START, percent(5.9))
    expect(YEAR_MILLIS).toBe(365 * DAY)
    expect<bigint>(indexAt(segments, START + 1)).toBe(1_000_000_000_001_817_765_937_954_132n)
    expect<bigint>(indexAt(segments, START + DAY)).toBe(1_000_157_067_310_817_685_960_547_403n)
  })

  it("goes on from where it was when the yield changes", () => {
    const segments = changeYield(begin(START, percent(8)), START + 1_000_000_000, percent(2))
    expect<bigint>(indexAt(segments, START + 1_000_000_000)).toBe(1_002_443_398_850_620_688_105_662_464n)
    expect<bigint>(indexAt(segments, START + 1_500_000_000)).toBe(1_002_758_184_011_016_169_293_299_942n)
    expect(indexAt(segments, START + 999_999_999)).toBe(indexAt(begin(START, percent(8)), START + 999_999_999))
  })

  it("stands still at a yield of 0", () => {
    expect(indexAt(begin(START, Rate.ZERO), START + YEAR_MILLIS)).toBe(INDEX_ONE)
  })

  it("takes the last of several changes at one time", () => {
    const segments = changeYield(changeYield(begin(START, percent(1)), START, percent(2)), START, percent(8))
    expect<bigint>(indexAt(segments, START + YEAR_MILLIS)).toBe(1_080_000_000_000_000_000_000_000_000n)
  })

  it("dies on a negative yield and on changes out of order", () => {
    const negative = Rate.fromUnits(-1n)
    expect(() => begin(START, negative)).toThrow(new RangeError("a yield is at least 0"))
    expect(() => changeYield(begin(START, percent(1)), START, negative)).toThrow(RangeError)
    expect(() => changeYield(begin(START, percent(1)), START - 1, percent(1))).toThrow(
      new RangeError("yields are changed in the order of time")
    )
    const later = changeYield(begin(START, percent(1)), START + 2, percent(1))
    expect(() => changeYield(later, START + 1, percent(1))).toThrow(RangeError)
  })

  it("never falls, and rises in every millisecond at a yield above 0", () => {
    fc.assert(
      fc.property(histories, durations, durations, (segments, after, more) => {
        const [from, to] = [START + after, START + after + more]
        expect(indexAt(segments, to) >= indexAt(segments, from)).toBe(true)
        if (segments.every(({ apy }) => apy > 0n))
          expect(indexAt(segments, from + 1) > indexAt(segments, from)).toBe(true)
      }),
      property()
    )
  })

  it("is not moved by a change to the same yield, but for the rounding", () => {
    fc.assert(
      fc.property(rates, durations, durations, (apy, after, more) => {
        const whole = begin(START, apy)
        const cut = changeYield(whole, START + after, apy)
        const at = START + after + more
        const difference = indexAt(whole, at) - indexAt(cut, at)
        expect(difference >= 0n && difference <= indexAt(whole, at) / INDEX_ONE + 2n).toBe(true)
      }),
      property()
    )
  })

  it("pays what 381 USD earn at 8 % in 30 days, rounded down", () => {
    const accrued = accrual(begin(START, percent(8)))
    expect<bigint>(accrued(fromUnits(381n * ONE), START, START + 30 * DAY)).toBe(2_417_678n)
    expect<bigint>(accrued(fromUnits(381n * ONE), START, START)).toBe(0n)
    expect<bigint>(accrued(fromUnits(381n * ONE), START + 5 * DAY, START + 35 * DAY)).toBe(2_417_678n)
    expect<bigint>(accrued(fromUnits(100n * ONE), START, START + YEAR_MILLIS)).toBe(8_000_000n)
  })

  it("pays the difference of two indexes over the first, rounded down", () => {
    const index = (value: bigint): Index => value as Index
    expect<bigint>(earned(fromUnits(100n), index(4n), index(5n))).toBe(25n)
    expect<bigint>(earned(fromUnits(99n), index(4n), index(5n))).toBe(24n)
    expect<bigint>(earned(fromUnits(100n), index(5n), index(5n))).toBe(0n)
    fc.assert(
      fc.property(deposits, histories, durations, durations, (deposit, segments, after, more) => {
        const [from, to] = [START + after, START + after + more]
        expect(accrual(segments)(deposit, from, to)).toBe(
          earned(deposit, indexAt(segments, from), indexAt(segments, to))
        )
      }),
      property()
    )
  })

  it("never gains by splitting a deposit, and loses less than a unit", () => {
    fc.assert(
      fc.property(deposits, deposits, histories, durations, durations, (one, other, segments, after, more) => {
        const accrued = accrual(segments)
        const [from, to] = [START + after, START + after + more]
        const apart = accrued(one, from, to) + accrued(other, from, to)
        const together = accrued(fromUnits(one + other), from, to)
        expect(apart <= together && together <= apart + 1n).toBe(true)
      }),
      property()
    )
  })

  it("never gains by withdrawing and depositing again", () => {
    fc.assert(
      fc.property(deposits, histories, durations, durations, durations, (deposit, segments, after, first, second) => {
        const accrued = accrual(segments)
        const [from, middle, to] = [START + after, START + after + first, START + after + first + second]
        const before = accrued(deposit, from, middle)
        const whole = accrued(deposit, from, to)
        expect(before + accrued(fromUnits(deposit + before), middle, to) <= whole).toBe(true)
        expect(before + accrued(deposit, middle, to) <= whole).toBe(true)
      }),
      property()
    )
  })

  it("grows by whole powers over whole years", () => {
    expect(yearlyGrowth(percent(8), 730, 365)).toBe(Power.ratio(11_664n, 10_000n))
    expect(yearlyGrowth(percent(8), 0, 365)).toBe(Power.ONE)
  })

  it("reads the index once for each time of a settlement", () => {
    let readings = 0
    const segment = {
      at: START,
      apy: percent(5.9),
      get index() {
        readings += 1
        return INDEX_ONE
      }
    }
    const accrued = accrual([segment])
    const deposit = fromUnits(381n * ONE)
    const answers = [1, 1, 2, 1, 2].map((after) => accrued(deposit, START + after, START + DAY))
    expect(readings).toBe(3)
    expect(answers[3]).toBe(answers[0]!)
  })
})
