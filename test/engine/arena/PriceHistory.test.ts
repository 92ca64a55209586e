import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import type { FinePrice } from "../../../engine/arena/FinePrice.ts"
import { demeanedReturns, InvalidHistory, parseDailyRates } from "../../../engine/arena/PriceHistory.ts"
import { dailyRates, dailyRatesText } from "../../lib/DailyRates.ts"
import { property } from "../../lib/Property.ts"

const lines = dailyRatesText.trim().split("\n")
const refusal = (text: string) => parseDailyRates(text).pipe(Result.flip, Result.getOrThrow)

describe("PriceHistory", () => {
  it("reads the shipped rates as USD closes", () => {
    expect(dailyRates.dates.length).toBe(52)
    expect(dailyRates.dates.at(-1)).toBe("2026-09-29")
    for (const closes of dailyRates.closes.values()) expect(closes.length).toBe(52)
    const last = (asset: string) => Number(dailyRates.closes.get(asset)?.at(-1)) / 1e12
    expect(last("EUR/USD")).toBeCloseTo(1 / 0.88022588, 10)
    expect(last("JPY/USD")).toBeCloseTo(100 / 157.47729333, 10)
    expect(last("BTC")).toBeCloseTo(1 / 1.2017405e-5, 6)
  })

  it("takes other line ends and columns", () => {
    const wider = lines.map((line, row) => `${line},${row === 0 ? "xyz" : "?"}`).join("\r\n")
    expect(parseDailyRates(wider)).toEqual(Result.succeed(dailyRates))
  })

  it("names the line of what is wrong", () => {
    expect(refusal("")).toEqual(new InvalidHistory({ line: 1, expected: "a column eur" }))
    expect(refusal(lines.slice(0, 3).join("\n"))).toMatchObject({ line: 3, expected: "at least 3 days" })
    expect(refusal([...lines, lines[1]].join("\n"))).toMatchObject({ line: 54 })
    expect(refusal([...lines, lines[52]].join("\n"))).toMatchObject({ line: 54 })
    expect(refusal([...lines, "2026-09-30,0.88"].join("\n"))).toMatchObject({ line: 54 })
    expect(refusal(lines.map((line, row) => (row === 7 ? line.replace(/,[^,]*/, ",0") : line)).join("\n"))).toEqual(
      new InvalidHistory({ line: 8, expected: "a positive decimal rate in column eur" })
    )
  })

  it("takes the mean from returns exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 10n ** 6n, max: 10n ** 18n }), { maxLength: 60 }), (closes) => {
        const returns = demeanedReturns(closes as Array<FinePrice>)
        expect(returns.length).toBe(Math.max(0, closes.length - 1))
        expect(returns.reduce((sum, value) => sum + value, 0n)).toBe(0n)
      }),
      property()
    )
    expect(demeanedReturns([100n, 110n, 99n] as Array<FinePrice>)).toEqual([100_000_000_000n, -100_000_000_000n])
  })
})
