import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { Result } from "effect"
import fc from "fast-check"
import type { FinePrice } from "../../../engine/arena/FinePrice.ts"
import { parseDailyRates, type PriceHistory } from "../../../engine/arena/PriceHistory.ts"
import { backtest, type BacktestPlan } from "../../../engine/bots/Backtest.ts"
import { nothing, random } from "../../../engine/bots/Baseline.ts"
import { evaluate } from "../../../engine/bots/Evaluation.ts"
import { PRESETS } from "../../../engine/bots/Strategy.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { property } from "../../lib/Property.ts"

const usd = (whole: number) => fromUnits(BigInt(whole) * ONE)

const history = Result.getOrThrow(parseDailyRates(readFileSync("data/daily-rates-per-usd.csv", "utf8")))

const plan: BacktestPlan = {
  history,
  strategy: { riskPreset: "aggressive", ...PRESETS.aggressive, maxCollateralPerTrade: usd(400) },
  capabilities: ["fx", "commodity"],
  collateral: usd(10_000),
  from: history.dates[0] ?? "",
  to: history.dates.at(-1) ?? ""
}

const drawn = (seed: number) => {
  const stream = new SeededRandom(seed, "backtest")
  return random((bound) => stream.below(bound), 500_000)
}

/** The history with one asset's close of one day changed by a factor in percent. */
const changed = (asset: string, day: number, percent: bigint): PriceHistory => ({
  ...history,
  closes: new Map(
    [...history.closes].map(([each, closes]) => [
      each,
      each === asset
        ? closes.map((close, at) => (at === day ? (((close * percent) / 100n) as FinePrice) : close))
        : closes
    ])
  )
})

/** The history whose closes after a day are others, each by its own factor in percent. */
const otherFuture = (after: number, percents: ReadonlyArray<bigint>): PriceHistory => ({
  ...history,
  closes: new Map(
    [...history.closes].map(([asset, closes], column) => [
      asset,
      closes.map((close, at) =>
        at <= after ? close : (((close * (percents[(at + column) % percents.length] ?? 1n)) / 100n) as FinePrice)
      )
    ])
  )
})

describe("a backtest", () => {
  it("decides, and has, nothing from a close that was not there yet", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: history.dates.length - 2 }),
        fc.array(fc.bigInt({ min: 50n, max: 150n }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (today, percents, byLuck) => {
          const date = history.dates[today] ?? ""
          const knownOf = (of: PriceHistory) => {
            const result = backtest({ ...plan, history: of }, byLuck ? drawn(today) : evaluate)
            return {
              decisions: result.decisions.filter((decision) => decision.date <= date),
              equity: result.equity.filter((point) => point.date <= date)
            }
          }
          expect(knownOf(otherFuture(today, percents))).toEqual(knownOf(history))
        }
      ),
      property(20)
    )
  })

  it("keeps with each decision all that it was decided on", () => {
    const { decisions } = backtest(plan, evaluate)
    for (const { date, decision, input } of decisions) {
      expect(evaluate(input)).toEqual(decision)
      expect(input.at).toBe(Date.parse(date))
      expect(input.order.expiryAt).toBeGreaterThan(input.at)
    }
    expect(new Set(decisions.map(({ input }) => input.order.orderId)).size).toBe(decisions.length)
  })

  it("evaluates no more in a month than the budget's credits", () => {
    const creditBudget = usd(100)
    const { decisions, unevaluated } = backtest({ ...plan, creditBudget }, evaluate)
    const months = new Map<string, number>()
    for (const { date } of decisions) months.set(date.slice(0, 7), (months.get(date.slice(0, 7)) ?? 0) + 1)
    expect([...months]).toEqual([
      ["2026-08", 100],
      ["2026-09", 100]
    ])
    expect(unevaluated).toBe(backtest(plan, evaluate).decisions.length - 200)
  })

  it("would notice a policy that looks ahead", () => {
    const seen = (of: PriceHistory) => backtest({ ...plan, history: of }, evaluate).decisions
    expect(seen(changed("EUR/USD", 10, 150n))).not.toEqual(seen(history))
  })

  it("ends with its collateral, what it won and what it lost", () => {
    for (const policy of [evaluate, nothing, drawn(1), drawn(2)]) {
      const { drawdown, equity, profit, profitByAsset, trades } = backtest(plan, policy)
      expect(equity.length).toBe(history.dates.length)
      expect(equity.at(-1)?.equity).toBe(fromUnits(plan.collateral + profit))
      expect([...profitByAsset.values()].reduce((sum, each) => sum + each, 0n)).toBe(profit)
      expect(drawdown >= 0n).toBe(true)
      for (const { decision, profit: made, won } of trades) {
        expect(made <= decision.collateral && made >= -decision.collateral).toBe(true)
        if (!won) expect(made).toBe(fromUnits(0n))
      }
    }
  })

  it("never loses more than the strategy allows", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const { equity } = backtest(plan, drawn(seed))
        const floor = plan.collateral - (plan.collateral * plan.strategy.maxLossPct) / (100n * ONE)
        expect(equity.every((point) => point.equity >= floor)).toBe(true)
      }),
      property(10)
    )
  })

  it("earns nothing by buying nothing", () => {
    const { drawdown, profit, trades } = backtest(plan, nothing)
    expect([profit, drawdown, trades.length]).toEqual([fromUnits(0n), fromUnits(0n), 0])
  })

  it("needs three closes between its dates", () => {
    expect(() => backtest({ ...plan, from: plan.to }, evaluate)).toThrow(RangeError)
    const [first = "", , third = ""] = history.dates
    expect(backtest({ ...plan, from: first, to: third }, evaluate).equity.length).toBe(3)
  })
})
