import type { ExportedWorld } from "../../engine/simulation/ExportedWorld.ts"
import { simulatedTiming } from "../../engine/simulation/WorldScenario.ts"
import type { LoadedWorld } from "../WorldLoading.ts"

const SECOND_MILLIS = 1_000
const DECIMALS = 1_000_000_000_000

const seconds = (millis: number): string => `${Number((millis / SECOND_MILLIS).toFixed(1))} s`

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`

const timesOf = ({ delay, slot, window }: ExportedWorld["timing"]): string =>
  `slots of ${seconds(slot)}, open for ${seconds(window)}, settled ${seconds(delay)} later`

const middle = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const leftOutText = ({ auctions, bids, bots, traders }: ExportedWorld["leftOut"]): ReadonlyArray<string> =>
  auctions + bids + bots + traders === 0
    ? []
    : [
        `left out   ${count(auctions, "older auction")}, ${count(bids, "bid")}, ${count(traders, "trader")}, ${count(bots, "bot")}: ` +
          "more than a world has"
      ]

/** What a world is, for people. */
export const worldSummary = ({ hash, world }: LoadedWorld): string => {
  const { auctions, bots, companies, house, leftOut, path, prices, rule, timing, traders, types } = world
  const machines = traders.filter(({ type }) => type === "machine").length
  const bids = auctions.map((auction) => auction.bids.length)
  const measured = Object.values(prices).filter(({ volatility }) => volatility !== null)
  const days = measured.map(({ volatility }) => (Number(volatility) / DECIMALS) * 100)
  return [
    `times      ${timesOf(timing)}; in a simulation ${timesOf(simulatedTiming(timing))}`,
    `rule       ${rule}, orders of ${types.join(", ")}`,
    `traders    ${traders.length - machines} human, ${count(machines, "machine")}`,
    `auctions   ${count(auctions.length, "auction")} with ${count(
      bids.reduce((sum, each) => sum + each, 0),
      "bid"
    )}, ${middle(bids)} in the middle one`,
    `bots       ${count(bots.length, "bot")} of ${count(companies.length, "company", "companies")}`,
    `vault      ${house.isVaultClosed ? "closed" : "open"}`,
    `prices     ${count(Object.keys(prices).length, "asset")}, ${measured.length} of them measured` +
      (measured.length === 0 ? "" : `: they move by ${middle(days).toFixed(2)} % a day in the middle`),
    ...(path === null
      ? []
      : [`path       ${count(path.prices.length, "look")} at ${count(path.assets.length, "recorded price")}`]),
    ...leftOutText(leftOut),
    `world      ${hash}`
  ].join("\n")
}
