import type { BacktestAsset, BacktestBot, BacktestRow } from "./BacktestData.ts"
import { element, money } from "./PageElements.ts"
import { signed, table } from "./PageTable.ts"

const share = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

const percent = (value: number | null): string => (value === null ? "–" : `${value.toFixed(0)} %`)

const rate = ({ commitments, won }: { readonly commitments: number; readonly won: number }): number | null =>
  share(won, commitments)

/** The bots of one run beside each other, and who buys nothing. */
export const botsTable = (bots: ReadonlyArray<BacktestBot>): HTMLElement =>
  table(bots, [
    { name: "Bot", of: ({ name }) => name, isText: true },
    { name: "Profit", of: ({ profit }) => profit, show: ({ profit }) => signed(profit) },
    { name: "Drawdown", of: ({ drawdown }) => drawdown, show: ({ drawdown }) => money(drawdown) },
    { name: "Commitments", of: ({ commitments }) => commitments },
    { name: "Win rate", of: rate, show: (bot) => percent(rate(bot)) },
    { name: "Won with a profit", of: ({ gained }) => gained },
    {
      name: "Better than random",
      of: ({ random }) => random.beaten,
      show: ({ random }) => `${random.beaten} of ${random.draws}`
    },
    { name: "Random, middle", of: ({ random }) => random.middle, show: ({ random }) => signed(random.middle) },
    { name: "Buying nothing", of: () => 0, show: () => money(0) }
  ])

export const assetsTable = (assets: ReadonlyArray<BacktestAsset>): HTMLElement =>
  table(assets, [
    { name: "Asset", of: ({ asset }) => asset, isText: true },
    { name: "Commitments", of: ({ commitments }) => commitments },
    { name: "Won", of: ({ won }) => won },
    { name: "Win rate", of: rate, show: (asset) => percent(rate(asset)) },
    { name: "With a profit", of: ({ gained }) => gained },
    { name: "Profit", of: ({ profit }) => profit, show: ({ profit }) => signed(profit) }
  ])

/** Prices of a currency differ in their fourth decimal, those of gold before the point. */
const SIGNIFICANT_DIGITS = 6

const priced = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? "–"
    : value.toLocaleString("en", { maximumSignificantDigits: SIGNIFICANT_DIGITS })

const told = ({ code, reason }: BacktestRow): Node =>
  element("span", { title: reason, class: code === "commit" ? "gain" : "" }, [code])

const outcome = ({ outcome: one }: BacktestRow): string | null => (one === null ? null : one.won ? "won" : "lost")

export const decisionsTable = (rows: ReadonlyArray<BacktestRow>): HTMLElement =>
  table(rows, [
    { name: "Day", of: ({ date }) => date, isText: true },
    { name: "Asset", of: ({ asset }) => asset, isText: true },
    { name: "Decision", of: ({ code }) => code, show: told, isText: true },
    { name: "Outcome", of: outcome, isText: true },
    {
      name: "Profit",
      of: (row) => row.outcome?.profit ?? null,
      show: (row) => (row.outcome === null ? "–" : signed(row.outcome.profit))
    },
    { name: "Close", of: ({ close }) => close, show: ({ close }) => priced(close) },
    { name: "Fair", of: ({ fair }) => fair, show: ({ fair }) => priced(fair) },
    { name: "Bid", of: ({ bid }) => bid, show: ({ bid }) => priced(bid) },
    { name: "Next close", of: (row) => row.outcome?.reference ?? null, show: (row) => priced(row.outcome?.reference) },
    { name: "Settled", of: (row) => row.outcome?.settled ?? null, show: (row) => priced(row.outcome?.settled) },
    { name: "Expected", of: ({ expected }) => expected, show: ({ expected }) => signed(expected) },
    { name: "ROI %", of: ({ roi }) => roi, show: ({ roi }) => roi.toFixed(1) },
    { name: "Collateral", of: ({ collateral }) => collateral, show: ({ collateral }) => money(collateral) }
  ])
