import { EVALUATION_PRICE } from "../../engine/bots/EvaluationCredits.ts"
import { type Amount, fromUnits, toNumber, ZERO } from "../../engine/money/Amount.ts"
import { type Comparison, percentile, verdictOf, verdictText } from "./BacktestComparison.ts"

/** What no backtest of daily closes can know. */
export const ASSUMPTIONS = [
  "An order of 10,000 USD opens in each asset at each close, is judged by the next close and settled by the one after;",
  "until then it counts as what it locks. The bot bids without rivals, so it buys 0.05 % below the close that judges it",
  "whenever its bid floats so far: rivals would take some of its wins and make others dearer. It looks at daily closes, a",
  "running bot at the newest recorded prices, seconds apart. The vault's yield and the price of the evaluations are left",
  "out. Past closes tell of the past."
]

const usd = (amount: Amount): string =>
  toNumber(amount).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const percentOf = (part: bigint, whole: bigint, digits = 2): string =>
  whole === 0n ? "–" : `${((Number(part) * 100) / Number(whole)).toFixed(digits)} %`

const HEAD = ["", "profit", "return", "drawdown", "commitments", "won", "gained", "evaluations"]

const rowOf = ({ bot, commitments, gained, result, won }: Comparison): ReadonlyArray<string> => [
  bot.name,
  usd(result.profit),
  percentOf(result.profit, bot.collateral),
  usd(result.drawdown),
  String(commitments),
  `${won} (${percentOf(BigInt(won), BigInt(commitments), 0)})`,
  String(gained),
  String(result.decisions.length)
]

const NOTHING = ["nothing", usd(ZERO), percentOf(0n, 1n), usd(ZERO), "0", "–", "0", "0"]

const luckRow = ({ bot, luck }: Comparison): ReadonlyArray<string> => {
  const middle = percentile(luck.profits, 50) ?? ZERO
  return ["random, middle", usd(middle), percentOf(middle, bot.collateral)]
}

/** Columns of text, the first to the left, the others to the right. */
const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const padded = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")
}

const detailOf = (comparison: Comparison): string => {
  const { bot, luck, result } = comparison
  const assets = [...result.profitByAsset].toSorted(([, one], [, other]) => (one < other ? 1 : one > other ? -1 : 0))
  const range = [5, 50, 95].map((percent) => usd(percentile(luck.profits, percent) ?? ZERO))
  return [
    `${bot.name}: ${verdictText(comparison)}`,
    `  random bidders as busy: 5 % earned at most ${range[0]}, half ${range[1]}, 95 % ${range[2]}`,
    ...(assets.length === 0
      ? []
      : [`  by asset: ${assets.map(([asset, profit]) => `${asset} ${usd(profit)}`).join(", ")}`]),
    ...(result.unevaluated === 0
      ? []
      : [`  ${result.unevaluated} orders were not evaluated: credit_budget was used up`])
  ].join("\n")
}

/** A comparison of bots for a person. */
export const backtestText = (comparisons: ReadonlyArray<Comparison>, from: string, to: string): string =>
  [
    `closes ${from} to ${to}, money in USD`,
    "",
    table([HEAD, ...comparisons.flatMap((one) => [rowOf(one), luckRow(one)]), NOTHING]),
    "",
    ...comparisons.map(detailOf),
    "",
    ...ASSUMPTIONS
  ].join("\n")

const decimal = (amount: Amount): number => toNumber(amount)

/** A comparison for a program: money in USD, every decision with its reason. */
export const backtestJson = (comparisons: ReadonlyArray<Comparison>, from: string, to: string): object => ({
  from,
  to,
  bots: comparisons.map((comparison) => {
    const { bot, commitments, gained, luck, result, won } = comparison
    return {
      name: bot.name,
      collateral: decimal(bot.collateral),
      profit: decimal(result.profit),
      drawdown: decimal(result.drawdown),
      commitments,
      won,
      gained,
      credits: toNumber(fromUnits(BigInt(result.decisions.length) * EVALUATION_PRICE)),
      unevaluated: result.unevaluated,
      verdict: verdictOf(comparison),
      told: verdictText(comparison),
      nothing: 0,
      random: { beaten: luck.beaten, profits: luck.profits.map(decimal) },
      byAsset: Object.fromEntries([...result.profitByAsset].map(([asset, profit]) => [asset, decimal(profit)])),
      equity: result.equity.map(({ date, equity }) => ({ date, equity: decimal(equity) })),
      decisions: result.decisions.map(({ asset, date, decision }) => ({
        date,
        asset,
        code: decision.code,
        reason: decision.reason,
        bid: decimal(decision.bid),
        quantity: decimal(decision.quantity),
        collateral: decimal(decision.collateral),
        expectedProfit: decimal(decision.expectedProfit),
        roiPercent: decimal(decision.roiPercent)
      }))
    }
  })
})
