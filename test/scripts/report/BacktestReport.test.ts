import { describe, expect, it } from "bun:test"
import { toNumber } from "../../../engine/money/Amount.ts"
import { compareWithLuck } from "../../../scripts/backtest/BacktestComparison.ts"
import { presetBot } from "../../../scripts/backtest/BotFile.ts"
import type { BacktestData } from "../../../scripts/report/BacktestData.ts"
import { backtestReport } from "../../../scripts/report/BacktestReport.ts"
import { dailyRates } from "../../lib/DailyRates.ts"

const over = { from: dailyRates.dates[20] ?? "", to: dailyRates.dates[45] ?? "" }
const bot = { ...presetBot("balanced"), name: "</script><script>alert(1)</script>" }
const comparison = compareWithLuck(bot, { history: dailyRates, ...over, seed: 7, draws: 5 })

const dataOf = (page: string): BacktestData => {
  const text = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? ""
  return JSON.parse(text) as BacktestData
}

describe("backtestReport", () => {
  it("is one page that loads nothing, and carries equity, drawdown, assets and every decision", async () => {
    const page = await backtestReport([comparison], { ...over, command: "npm run sim -- backtest" })
    expect(page).toContain("default-src 'none'")
    expect(page.match(/<(?:link|img|iframe|script)[^>]*\s(?:src|href)=/g)).toBeNull()
    expect(page).not.toContain("<script>alert")
    const { bots } = dataOf(page)
    const { result } = comparison
    expect(bots[0]?.name).toBe(bot.name)
    expect(bots[0]?.days.map(({ equity }) => equity)).toEqual(result.equity.map(({ equity }) => toNumber(equity)))
    expect(Math.min(...(bots[0]?.days.map(({ fall }) => fall) ?? []))).toBeCloseTo(-toNumber(result.drawdown), 6)
    expect(bots[0]?.assets.reduce((sum, { profit }) => sum + profit, 0)).toBeCloseTo(toNumber(result.profit), 6)
    expect(bots[0]?.decisions.length).toBe(result.decisions.length)
    const settled = bots[0]?.decisions.filter(({ outcome }) => outcome !== null) ?? []
    expect(settled.map(({ code }) => code)).toEqual(settled.map(() => "commit"))
    expect(settled.length).toBe(result.trades.length)
  })
})
