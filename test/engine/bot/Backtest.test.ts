import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { Result } from "effect"
import fc from "fast-check"
import type { FinePrice } from "../../../engine/arena/FinePrice.ts"
import { parseDailyRates, type PriceHistory } from "../../../engine/arena/PriceHistory.ts"
import { backtest, type BacktestPlan } from "../../../engine/bot/Backtest.ts"
import { nothing, random } from "../../../engine/bot/Baseline.ts"
import { evaluate } from "../../../engine/bot/Evaluation.ts"
import { PRESETS } from "../../../engine/bot/Strategy.ts"
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
  return random((bound) => stream.below(bound))
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

describe("a backtest", () => {
  it("decides nothing from a close that was not there yet", () => {
    const assets = [...history.closes.keys()]
    fc.assert(
      fc.property(
        fc.constantFrom(...assets),
        fc.integer({ min: 1, max: history.dates.length - 1 }),
        fc.bigInt({ min: 50n, max: 150n }),
        (asset, day, percent) => {
          const until = history.dates[day] ?? ""
          const decisionsOf = (of: PriceHistory) =>
            backtest({ ...plan, history: of }, evaluate).decisions.filter(({ date }) => date < until)
          expect(decisionsOf(changed(asset, day, percent))).toEqual(decisionsOf(history))
        }
      ),
      property(20)
    )
  })

  it("would notice a policy that looks ahead", () => {
    const seen = (of: PriceHistory) => backtest({ ...plan, history: of }, evaluate).decisions
    expect(seen(changed("EUR/USD", 10, 150n))).not.toEqual(seen(history))
  })

  it("ends with its collateral, what it won and what it lost", () => {
    for (const policy of [evaluate, nothing, drawn(1), drawn(2)]) {
      const { drawdown, equity, profit, profitOf, trades } = backtest(plan, policy)
      expect(equity.length).toBe(history.dates.length)
      expect(equity.at(-1)?.equity).toBe(fromUnits(plan.collateral + profit))
      expect([...profitOf.values()].reduce((sum, each) => sum + each, 0n)).toBe(profit)
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
