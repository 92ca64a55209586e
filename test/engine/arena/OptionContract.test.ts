import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  expiryAfter,
  SMALLEST_PREMIUM,
  strikeAtTheMoney,
  strikeTick,
  TERM_DAYS,
  writeContract
} from "../../../engine/arena/OptionContract.ts"
import { OPTION_TYPES, premium } from "../../../engine/arena/OptionPremium.ts"
import { fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import * as Rate from "../../../engine/money/Rate.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000
const MIDNIGHT = 20_600 * DAY

const rate = (text: string): Rate.Rate => Result.getOrThrow(Rate.parse(text))

const spots = fc.oneof(fc.bigInt(1n, 3n * ONE), fc.bigInt(1n, 200_000n * ONE), fc.bigInt(1n, MAX)).map(fromUnits)
const volatilities = fc.bigInt(0n, 2n * Rate.ONE).map(Rate.fromUnits)
const types = fc.constantFrom(...OPTION_TYPES)
const times = fc.integer({ min: MIDNIGHT, max: MIDNIGHT + 400 * DAY })

const usd = (text: string) => fromUnits(Result.getOrThrow(Rate.parse(text)) / 1_000_000n)

describe("OptionContract", () => {
  it("spaces strikes by 1, 2 or 5 × 10ⁿ, a fiftieth of the price at most", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["4000", "50"],
      ["50", "1"],
      ["49.999999", "0.5"],
      ["100", "2"],
      ["99.999999", "1"],
      ["250", "5"],
      ["249.999999", "2"],
      ["500", "10"],
      ["1.08", "0.02"],
      ["0.00005", "0.000001"],
      ["0.000001", "0.000001"]
    ]
    for (const [spot, tick] of cases) expect(strikeTick(usd(spot))).toBe(usd(tick))
  })

  it("takes the nearest strike, the upper one halfway", () => {
    expect(strikeAtTheMoney(usd("4000"))).toBe(usd("4000"))
    expect(strikeAtTheMoney(usd("4024.999999"))).toBe(usd("4000"))
    expect(strikeAtTheMoney(usd("4025"))).toBe(usd("4050"))
    expect(strikeAtTheMoney(usd("0.000001"))).toBe(usd("0.000001"))
    fc.assert(
      fc.property(spots, (spot) => {
        const [strike, tick] = [strikeAtTheMoney(spot), strikeTick(spot)]
        expect(strike > 0n && strike % tick === 0n).toBe(true)
        expect(2n * (strike - spot) <= tick && 2n * (spot - strike) < tick).toBe(true)
      }),
      property()
    )
  })

  it("expires at the first midnight UTC from the term on", () => {
    expect(expiryAfter(MIDNIGHT, 30)).toBe(MIDNIGHT + 30 * DAY)
    expect(expiryAfter(MIDNIGHT + 1, 30)).toBe(MIDNIGHT + 31 * DAY)
    expect(expiryAfter(MIDNIGHT - 1, 30)).toBe(MIDNIGHT + 30 * DAY)
  })

  it("writes 30 days at the money where that costs a dollar", () => {
    expect(writeContract("call", usd("4010"), rate("0.15"), MIDNIGHT)).toEqual({
      type: "call",
      strike: usd("4000"),
      expiryAt: MIDNIGHT + 30 * DAY,
      volatility: rate("0.15"),
      premium: premium({
        type: "call",
        spot: usd("4010"),
        strike: usd("4000"),
        volatility: rate("0.15"),
        remaining: 30 * DAY
      })
    })
  })

  it("takes the first longer term that costs a dollar", () => {
    const days = (volatility: string) => {
      const contract = writeContract("put", usd("40"), rate(volatility), MIDNIGHT)
      return [contract && (contract.expiryAt - MIDNIGHT) / DAY, contract?.strike]
    }
    const middle = usd("40")
    expect(days("0.3")).toEqual([30, middle])
    expect(days("0.2")).toEqual([60, middle])
    expect(days("0.15")).toEqual([90, middle])
    expect(days("0.1")).toEqual([180, middle])
    expect(days("0.065")).toEqual([365, middle])
  })

  it("takes a dollar exactly", () => {
    // Without volatility the premium is the strike's distance from the spot price.
    expect(writeContract("call", usd("10"), Rate.ZERO, MIDNIGHT)).toMatchObject({ strike: usd("9"), premium: ONE })
    expect(writeContract("put", usd("10"), Rate.ZERO, MIDNIGHT)).toMatchObject({ strike: usd("11"), premium: ONE })
  })

  it("moves into the money as far as half the spot price, then gives up", () => {
    const deep = writeContract("call", usd("2"), Rate.ZERO, MIDNIGHT + 1)
    expect(deep).toMatchObject({ strike: usd("1"), premium: ONE, expiryAt: MIDNIGHT + 31 * DAY })
    expect(writeContract("put", usd("2"), Rate.ZERO, MIDNIGHT)).toMatchObject({ strike: usd("3"), premium: ONE })
    expect(writeContract("call", usd("1.999999"), Rate.ZERO, MIDNIGHT)).toBeUndefined()
    expect(writeContract("call", usd("0.000001"), Rate.ZERO, MIDNIGHT)).toBeUndefined()
    // The grid has 3.02, worth less than a dollar, and 3.04, further than half the spot price.
    expect(writeContract("put", usd("2.020001"), Rate.ZERO, MIDNIGHT)).toBeUndefined()
  })

  it("costs a dollar or more, lasts 30 days or more, and is priced as it says", () => {
    fc.assert(
      fc.property(types, spots, volatilities, times, (type, spot, volatility, at) => {
        const contract = writeContract(type, spot, volatility, at)
        if (contract === undefined) {
          // From there on half the spot price reaches a whole tick beyond a dollar.
          expect(spot < 2n * ONE + 2n * strikeTick(spot)).toBe(true)
          return
        }
        const remaining = contract.expiryAt - at
        expect(contract.premium >= SMALLEST_PREMIUM).toBe(true)
        expect(contract.premium).toBe(premium({ ...contract, spot, remaining }))
        expect(remaining >= TERM_DAYS[0] * DAY && remaining < 366 * DAY).toBe(true)
        expect(contract.expiryAt % DAY).toBe(0)
        expect(contract.strike % strikeTick(spot)).toBe(0n)
      }),
      property(2)
    )
  })
})
