import type { AuctionOutcome } from "../../../engine/market/AuctionOutcome.ts"
import { type Amount, toNumber } from "../../../engine/money/Amount.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { isoDay } from "../../api/UtcDay.ts"
import type { ReplayReport } from "./ReplayReport.ts"

/** Auctions in the table at the end. */
const SHOWN = 15

/** What a replay cannot know. */
export const ASSUMPTIONS = [
  "The rivals bid as they did: they did not see these bids, and would have answered them where bids are open. What the",
  "market maker would have done is what its rules say. The vault's yield and the fees of evaluations are left out. Past",
  "auctions tell of the past."
] as const

/** An amount for people: two decimals, more where it is small. */
export const money = (amount: Amount | null): string =>
  amount === null
    ? "?"
    : toNumber(amount).toLocaleString("en", {
        minimumFractionDigits: 2,
        maximumFractionDigits: amount > -10_000_000n && amount < 10_000_000n ? 6 : 2
      })

export const usd = (amount: Amount): string =>
  toNumber(amount).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** What an auction was about, such as `EUR/USD` or `XAU option`. */
export const nameOf = ({ asset, assetType }: Pick<AuctionOutcome, "asset" | "assetType">): string =>
  assetType === "options" ? `${asset} option` : asset

const count = (number: number): string => number.toLocaleString("en")

const HEAD = ["settled", "asset", "place", "bid", "pays", "sold at", "profit", "best bid", "its profit"]

const rowOf = (outcome: AuctionOutcome) => {
  const { best, clearingPrice, own, profit, settlementAt, settlementPrice, won } = outcome
  const first = own.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity))[0]
  return [
    isoUtc(settlementAt).slice(0, 16).replace("T", " "),
    nameOf(outcome),
    first?.rank === null || first === undefined ? "void" : won ? "won" : String(first.rank),
    money(first?.proposedPrice ?? null),
    won ? money(clearingPrice) : "",
    won ? money(settlementPrice) : "",
    won ? money(profit) : "",
    best === null ? "none" : money(best.proposedPrice),
    best === null ? "" : money(best.profit)
  ]
}

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, column) => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  )
}

/** What the record leaves open of the auctions that the program entered. */
export const unclear = ({ summary }: ReplayReport): string => {
  const parts: ReadonlyArray<readonly [number, string]> = [
    [summary.voided, "void"],
    [summary.undecided, "without a recorded reference price"],
    [summary.unpriced, "won without a recorded settlement price"],
    [summary.estimated, "won whose settlement price is estimated"]
  ]
  return parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${count(number)} ${what}`)
    .join(", ")
}

/** The days that were played: UTC, the first and the last. */
export const periodOf = (days: ReadonlyArray<number>): string => {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return "no day of it is recorded"
  return first === last ? isoDay(first) : `${isoDay(first)} to ${isoDay(last)}, ${count(days.length)} days`
}

/** The report for a person. */
export const replayText = (report: ReplayReport): string => {
  const { about, entered, summary } = report
  const share = ((Number(summary.profit) * 100) / Number(about.balance)).toFixed(2)
  const open = unclear(report)
  const shown = entered.slice(-SHOWN)
  return [
    `history  ${about.place}: ${periodOf(about.days)}`,
    `auctions ${count(summary.auctions)}, of which ${count(summary.chosen)} had a choice: made again with nothing changed, ${count(summary.reproduced)} come out as published`,
    `program  ${about.program}: ${count(summary.bids)} bids on ${count(summary.entered)} auctions, ${count(summary.won)} won, ${count(summary.gained)} with a profit`,
    `profit   ${usd(summary.profit)} USD, ${share} % of ${usd(about.balance)}; deepest fall ${usd(summary.drawdown)}`,
    `best     ${usd(summary.bestProfit)} USD in ${count(summary.winnable)} auctions, for who knew the end`,
    ...(open === "" ? [] : [`unclear  ${open}`]),
    ...(shown.length === 0 ? [] : ["", ...table([HEAD, ...shown.map(rowOf)])]),
    "",
    ...ASSUMPTIONS
  ].join("\n")
}
