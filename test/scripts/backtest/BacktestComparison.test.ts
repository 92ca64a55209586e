import { describe, expect, it } from "bun:test"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import {
  type Comparison,
  compareWithLuck,
  percentile,
  verdictOf
} from "../../../scripts/backtest/BacktestComparison.ts"
import { backtestJson, backtestText } from "../../../scripts/backtest/BacktestText.ts"
import { presetBot } from "../../../scripts/backtest/BotFile.ts"
import { dailyRates } from "../../lib/DailyRates.ts"

const [from = "", to = ""] = [dailyRates.dates[26], dailyRates.dates.at(-1)]

const draws = 20

const compared = (seed: number): Comparison =>
  compareWithLuck(presetBot("conservative"), { history: dailyRates, from, to, seed, draws })

const one = compared(1)

describe("a comparison with luck", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(compared(1)).toEqual(one)
    expect(compared(2).result).toEqual(one.result)
    expect(compared(2).luck.profits).not.toEqual(one.luck.profits)
  })

  it("ranks the strategy among all its random bidders", () => {
    const { luck, result } = one
    expect(luck.profits.length).toBe(draws)
    expect(luck.profits.every((profit, at) => at === 0 || profit >= (luck.profits[at - 1] ?? 0n))).toBe(true)
    expect(luck.beaten).toBe(luck.profits.filter((profit) => profit < result.profit).length)
    for (const [day, { equity }] of luck.middle.entries()) {
      expect(equity >= (luck.low[day]?.equity ?? 0n) && equity <= (luck.high[day]?.equity ?? 0n)).toBe(true)
    }
    expect(luck.high.at(-1)?.equity).toBe(fromUnits(one.bot.collateral + (percentile(luck.profits, 95) ?? 0n)))
  })

  it("counts what was won, and what of it ended with a profit", () => {
    const { commitments, gained, result, won } = one
    expect(commitments).toBe(result.decisions.filter(({ decision }) => decision.code === "commit").length)
    expect(commitments >= won && won >= gained).toBe(true)
  })

  it("calls nothing a skill that luck explains", () => {
    const judged = (profit: bigint, beaten: number) =>
      verdictOf({
        result: { ...one.result, profit: fromUnits(profit) },
        luck: { ...one.luck, beaten, profits: Array.from({ length: 100 }, () => ZERO) }
      })
    expect([judged(-1n, 99), judged(0n, 99), judged(1n, 94), judged(1n, 95)]).toEqual([
      "worse",
      "luck",
      "luck",
      "better"
    ])
  })
})

describe("percentile", () => {
  it("is the smallest value that so many are at most", () => {
    const values = Array.from({ length: 20 }, (_, at) => fromUnits(BigInt(at + 1)))
    expect([0, 5, 50, 95, 100].map((percent) => percentile(values, percent))).toEqual(
      [1n, 1n, 10n, 19n, 20n].map(fromUnits)
    )
    expect(percentile([], 50)).toBeUndefined()
  })
})

describe("what is told of it", () => {
  it("has buying nothing and luck beside the bot", () => {
    const text = backtestText([one], from, to)
    for (const row of ["conservative", "random, middle", "nothing"])
      expect(text).toMatch(new RegExp(`^${row} +-?[\\d,.]+`, "m"))
    expect(text).toContain("random bidders")
    expect(text).toContain("without rivals")
  })

  it("has each decision with its reason in JSON", () => {
    const { bots } = JSON.parse(JSON.stringify(backtestJson([one], from, to)))
    expect(bots[0].decisions.length).toBe(one.result.decisions.length)
    expect(bots[0].decisions[0]).toMatchObject({ date: from, code: expect.any(String), reason: expect.any(String) })
    expect(bots[0]).toMatchObject({ nothing: 0, credits: one.result.decisions.length })
  })
})
