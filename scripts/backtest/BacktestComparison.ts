import { backtest, type BacktestPlan, type BacktestResult, type EquityPoint } from "../../engine/bots/Backtest.ts"
import { random } from "../../engine/bots/Baseline.ts"
import { evaluate } from "../../engine/bots/Evaluation.ts"
import type { Amount } from "../../engine/money/Amount.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import type { TestedBot } from "./BotFile.ts"

/** Random bidders that a strategy is compared with, unless it is said. */
export const DRAWS = 100

const MILLION = 1_000_000

/** What bidders earned that know nothing, and are about as busy as the strategy. */
export interface Luck {
  /** Ascending. */
  readonly profits: ReadonlyArray<Amount>
  /** How many of them earned less than the strategy. */
  readonly beaten: number
  /** Of each day, what 5, 50 and 95 in a hundred have at most. */
  readonly low: ReadonlyArray<EquityPoint>
  readonly middle: ReadonlyArray<EquityPoint>
  readonly high: ReadonlyArray<EquityPoint>
}

/** A bot's backtest beside what luck alone would have made. Who buys nothing has its collateral at the end. */
export interface Comparison {
  readonly bot: TestedBot
  readonly result: BacktestResult
  readonly commitments: number
  readonly won: number
  /** Those won that ended with a profit. */
  readonly gained: number
  readonly luck: Luck
}

const ascending = (one: Amount, other: Amount): number => (one < other ? -1 : one > other ? 1 : 0)

/** The value that `percent` of a hundred are at most. */
export const percentile = (sorted: ReadonlyArray<Amount>, percent: number): Amount | undefined =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]

const bandOf = (runs: ReadonlyArray<BacktestResult>, percent: number): ReadonlyArray<EquityPoint> =>
  (runs[0]?.equity ?? []).map(({ date, equity }, day) => {
    const those = runs.map((run) => run.equity[day]?.equity ?? equity).toSorted(ascending)
    return { date, equity: percentile(those, percent) ?? equity }
  })

/** How many of a million orders that it could have taken it did take. */
const rateOf = ({ decisions }: BacktestResult): number => {
  const taken = decisions.filter(({ decision }) => decision.code === "commit").length
  const possible = decisions.filter(({ decision }) => decision.quantity > 0n).length
  return possible === 0 ? 0 : Math.round((taken * MILLION) / possible)
}

const luckOf = (plan: BacktestPlan, result: BacktestResult, { draws, seed }: Drawing): Luck => {
  const rate = rateOf(result)
  const runs = Array.from({ length: draws }, (_, number) => {
    const stream = new SeededRandom(seed, `backtest/${number}`)
    return backtest(
      plan,
      random((bound) => stream.below(bound), rate)
    )
  })
  const profits = runs.map(({ profit }) => profit).toSorted(ascending)
  return {
    profits,
    beaten: profits.filter((profit) => profit < result.profit).length,
    low: bandOf(runs, 5),
    middle: bandOf(runs, 50),
    high: bandOf(runs, 95)
  }
}

interface Drawing {
  readonly seed: number
  readonly draws: number
}

/** Runs a bot over the closes between two dates, and random bidders beside it. */
export const compareWithLuck = (
  bot: TestedBot,
  {
    seed,
    draws = DRAWS,
    ...over
  }: Pick<BacktestPlan, "history" | "from" | "to"> & Pick<Drawing, "seed"> & Partial<Drawing>
): Comparison => {
  const plan = { ...over, ...bot }
  const result = backtest(plan, evaluate)
  const wins = result.trades.filter(({ won }) => won)
  return {
    bot,
    result,
    commitments: result.trades.length,
    won: wins.length,
    gained: wins.filter(({ profit }) => profit > 0n).length,
    luck: luckOf(plan, result, { seed, draws })
  }
}

/** Whether buying nothing was better, luck explains what was earned, or neither. */
export type Verdict = "worse" | "luck" | "better"

/** In a hundred random bidders: where fewer did worse, luck is the simpler explanation. */
const SIGNIFICANT = 95

export const verdictOf = ({ luck, result }: Pick<Comparison, "luck" | "result">): Verdict => {
  if (result.profit < 0n) return "worse"
  return result.profit === 0n || 100 * luck.beaten < SIGNIFICANT * luck.profits.length ? "luck" : "better"
}

/** What a comparison says about the strategy, and no more than it says. */
export const verdictText = (comparison: Comparison): string => {
  const { beaten, profits } = comparison.luck
  const draws = profits.length
  if (comparison.commitments === 0) return "It committed to nothing, and earned as much as buying nothing."
  switch (verdictOf(comparison)) {
    case "worse":
      return `It would have been better to buy nothing. ${beaten} of ${draws} random bidders did worse still.`
    case "luck":
      return `Luck explains what it earned: ${draws - beaten} of ${draws} random bidders did as well or better.`
    case "better":
      return `It earned more than buying nothing, and more than ${beaten} of ${draws} random bidders.`
  }
}
