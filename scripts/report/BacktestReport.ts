import type { Comparison } from "../backtest/BacktestComparison.ts"
import { type BacktestData, backtestData } from "./BacktestData.ts"
import { reportShell } from "./ReportShell.ts"

/**
 * Backtests as one page that needs no other file: equity, drawdown, win rate, profit by asset, and every decision.
 *
 * @param over - the dates, and what runs the same backtest again
 */
export const backtestReport = (
  comparisons: ReadonlyArray<Comparison>,
  over: Pick<BacktestData, "from" | "to" | "command">
): Promise<string> =>
  reportShell("BacktestPage.ts", `Backtest ${over.from} to ${over.to}`, backtestData(comparisons, over))
