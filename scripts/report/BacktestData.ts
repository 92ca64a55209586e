import type { BacktestDecision, BacktestTrade, EquityPoint } from "../../engine/bots/Backtest.ts"
import type { DecisionCode } from "../../engine/bots/Evaluation.ts"
import { toNumber, ZERO } from "../../engine/money/Amount.ts"
import { type Comparison, percentile, type Verdict, verdictOf, verdictText } from "../backtest/BacktestComparison.ts"
import { ASSUMPTIONS } from "../backtest/BacktestText.ts"

/** What the page of a backtest draws. Money and prices are in USD. */
export interface BacktestData {
  readonly from: string
  readonly to: string
  readonly command: string
  readonly assumptions: string
  readonly bots: ReadonlyArray<BacktestBot>
}

export interface BacktestBot {
  readonly name: string
  readonly preset: string
  /** The numbers of its strategy, for a reader. */
  readonly strategy: ReadonlyArray<readonly [string, string]>
  readonly collateral: number
  readonly verdict: Verdict
  readonly told: string
  readonly profit: number
  readonly drawdown: number
  readonly commitments: number
  readonly won: number
  readonly gained: number
  readonly evaluations: number
  readonly unevaluated: number
  readonly random: {
    readonly draws: number
    readonly beaten: number
    readonly low: number
    readonly middle: number
    readonly high: number
  }
  readonly days: ReadonlyArray<BacktestDay>
  readonly assets: ReadonlyArray<BacktestAsset>
  readonly decisions: ReadonlyArray<BacktestRow>
}

/** Equity at one close: the bot's, and of the random bidders what 5, 50 and 95 in a hundred have at most. */
export interface BacktestDay {
  readonly date: string
  readonly equity: number
  /** How far it is below its height before, 0 or less. */
  readonly fall: number
  readonly low: number
  readonly middle: number
  readonly high: number
}

export interface BacktestAsset {
  readonly asset: string
  readonly commitments: number
  readonly won: number
  readonly gained: number
  readonly profit: number
}

/** A decision, with what became of it where it was to commit. */
export interface BacktestRow {
  readonly date: string
  readonly asset: string
  readonly code: DecisionCode
  readonly reason: string
  readonly close: number
  readonly fair: number | null
  readonly bid: number
  readonly collateral: number
  readonly expected: number
  readonly roi: number
  readonly outcome: BacktestOutcome | null
}

export interface BacktestOutcome {
  readonly reference: number
  readonly won: boolean
  readonly settled: number
  readonly settledOn: string
  readonly profit: number
}

const daysOf = ({ luck, result }: Comparison): ReadonlyArray<BacktestDay> => {
  const at = (points: ReadonlyArray<EquityPoint>, day: number) => toNumber(points[day]?.equity ?? ZERO)
  let height = 0
  return result.equity.map(({ date, equity }, day) => {
    const now = toNumber(equity)
    height = Math.max(height, now)
    return {
      date,
      equity: now,
      fall: now - height,
      low: at(luck.low, day),
      middle: at(luck.middle, day),
      high: at(luck.high, day)
    }
  })
}

const assetsOf = ({ result }: Comparison): ReadonlyArray<BacktestAsset> =>
  [...result.profitByAsset]
    .map(([asset, profit]) => {
      const trades = result.trades.filter((trade) => trade.asset === asset)
      const wins = trades.filter(({ won }) => won)
      return {
        asset,
        commitments: trades.length,
        won: wins.length,
        gained: wins.filter((trade) => trade.profit > 0n).length,
        profit: toNumber(profit)
      }
    })
    .toSorted((one, other) => other.profit - one.profit)

const outcomeOf = (trade: BacktestTrade): BacktestOutcome => ({
  reference: toNumber(trade.reference),
  won: trade.won,
  settled: toNumber(trade.settlementPrice),
  settledOn: trade.settledOn,
  profit: toNumber(trade.profit)
})

const rowOf = ({ asset, date, decision, input }: BacktestDecision, trade: BacktestTrade | undefined): BacktestRow => ({
  date,
  asset,
  code: decision.code,
  reason: decision.reason,
  close: toNumber(input.order.entryPrice),
  fair: decision.fairPrice === null ? null : toNumber(decision.fairPrice),
  bid: toNumber(decision.bid),
  collateral: toNumber(decision.collateral),
  expected: toNumber(decision.expectedProfit),
  roi: toNumber(decision.roiPercent),
  outcome: trade === undefined ? null : outcomeOf(trade)
})

const rowsOf = ({ result }: Comparison): ReadonlyArray<BacktestRow> => {
  const trades = new Map(result.trades.map((trade) => [`${trade.openedOn}/${trade.asset}`, trade]))
  return result.decisions.map((one) => rowOf(one, trades.get(`${one.date}/${one.asset}`)))
}

const strategyOf = ({ bot: { capabilities, strategy } }: Comparison): BacktestBot["strategy"] => [
  ["riskPreset", strategy.riskPreset],
  ["riskLevel", String(toNumber(strategy.riskLevel))],
  ["maxLossPct", `${toNumber(strategy.maxLossPct)} %`],
  ["minRoiPct", `${toNumber(strategy.minRoiPct)} %`],
  ["maxCollateralPerTrade", `${toNumber(strategy.maxCollateralPerTrade)} USD`],
  ["capabilities", capabilities.join(", ")]
]

const botOf = (comparison: Comparison): BacktestBot => {
  const { bot, commitments, gained, luck, result, won } = comparison
  const drawn = (percent: number): number => toNumber(percentile(luck.profits, percent) ?? ZERO)
  return {
    name: bot.name,
    preset: bot.strategy.riskPreset,
    strategy: strategyOf(comparison),
    collateral: toNumber(bot.collateral),
    verdict: verdictOf(comparison),
    told: verdictText(comparison),
    profit: toNumber(result.profit),
    drawdown: toNumber(result.drawdown),
    commitments,
    won,
    gained,
    evaluations: result.decisions.length,
    unevaluated: result.unevaluated,
    random: { draws: luck.profits.length, beaten: luck.beaten, low: drawn(5), middle: drawn(50), high: drawn(95) },
    days: daysOf(comparison),
    assets: assetsOf(comparison),
    decisions: rowsOf(comparison)
  }
}

/** Everything that the page draws of backtests, as plain JSON. */
export const backtestData = (
  comparisons: ReadonlyArray<Comparison>,
  over: Pick<BacktestData, "from" | "to" | "command">
): BacktestData => ({ ...over, assumptions: ASSUMPTIONS.join(" "), bots: comparisons.map(botOf) })
