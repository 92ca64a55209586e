import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { PriceHistory } from "../../engine/arena/PriceHistory.ts"
import { CommandFailed, CommandMisused } from "../../src/cli/CommandFailed.ts"
import { json, print } from "../../src/cli/CommandOutput.ts"
import { day } from "../../src/cli/CustodyStatement.ts"
import { inOrder } from "../../src/cli/DayFlag.ts"
import { readHistory } from "../SimulationPlatform.ts"
import { compareWithLuck } from "./BacktestComparison.ts"
import { backtestJson, backtestText } from "./BacktestText.ts"
import { botOf, isPreset, presetBot, type TestedBot } from "./BotFile.ts"

const PRESET_NAMES = ["conservative", "balanced", "aggressive"] as const

/** Strategies of one run: more than a chart can tell apart. */
const MAX_STRATEGIES = 10

/** Where no seed is said. */
const SEED = 42

const date = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("DATE"),
    Flag.filter(
      (text) => day.parse(text) !== undefined,
      () => `Expected ${day.expected}`
    ),
    Flag.optional
  )

const flags = {
  strategy: Flag.String("strategy").pipe(
    Flag.withDescription(
      `A file with the body that creates a bot, or ${PRESET_NAMES.join(", ")}. Can be repeated. Default: the three`
    ),
    Flag.withMetavar("FILE"),
    Flag.between(0, MAX_STRATEGIES)
  ),
  from: date("from", "The first day, such as 2026-08-09. Default: the first close"),
  to: date("to", "The last day. Default: the last close"),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Draws the random bidders beside it"),
    Flag.withMetavar("N"),
    Flag.withDefault(SEED)
  ),
  report: Flag.String("report").pipe(
    Flag.withDescription("Write a page with its charts and every decision"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  json
}

const failing = <A>(what: string, run: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new CommandFailed({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

const botNamed = Effect.fnUntraced(function* (name: string): Effect.fn.Return<TestedBot, CommandFailed> {
  if (isPreset(name)) return presetBot(name)
  if (!existsSync(name)) {
    const presets = PRESET_NAMES.join(", ")
    return yield* new CommandMisused({
      message: `--strategy ${name}: there is no such file, and the presets are ${presets}`
    })
  }
  const text = yield* failing(`--strategy ${name}`, () => readFileSync(name, "utf8"))
  return yield* botOf(name, text)
})

/** Bots of one name are told apart by their place. */
const distinct = (bots: ReadonlyArray<TestedBot>): ReadonlyArray<TestedBot> =>
  bots.map((bot, place) =>
    bots.findIndex(({ name }) => name === bot.name) === place ? bot : { ...bot, name: `${bot.name} (${place + 1})` }
  )

/** An order opens at one close, is judged by the next and settled by the one after. */
const FEWEST_CLOSES = 3

const daysBetween = ({ dates }: PriceHistory, from: string, to: string): Effect.Effect<void, CommandFailed> => {
  const closes = dates.filter((date) => date >= from && date <= to).length
  return closes >= FEWEST_CLOSES
    ? Effect.void
    : Effect.fail(
        new CommandFailed({
          message:
            `${closes} closes lie between ${from} and ${to}, and an order takes ${FEWEST_CLOSES}: ` +
            `there are closes from ${dates[0]} to ${dates.at(-1)}.`
        })
      )
}

const closesFile = new URL("../../data/daily-rates-per-usd.csv", import.meta.url)

const run = Effect.fnUntraced(function* (given: {
  readonly strategy: ReadonlyArray<string>
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly seed: number
  readonly report: Option.Option<string>
  readonly json: boolean
}) {
  const history = readHistory(closesFile)
  const bots = yield* Effect.forEach(given.strategy.length === 0 ? PRESET_NAMES : given.strategy, botNamed)
  const from = Option.getOrElse(given.from, () => history.dates[0] ?? "")
  const to = Option.getOrElse(given.to, () => history.dates.at(-1) ?? "")
  if (Option.isSome(given.from) && Option.isSome(given.to)) yield* inOrder(from, to)
  yield* daysBetween(history, from, to)
  const comparisons = distinct(bots).map((bot) => compareWithLuck(bot, { history, from, to, seed: given.seed }))
  const text = backtestText(comparisons, from, to)
  const path = Option.getOrUndefined(given.report)
  if (path !== undefined) {
    const command = `npm run sim -- backtest ${process.argv.slice(3).join(" ")}`.trim()
    const { backtestReport } = yield* Effect.promise(() => import("../report/BacktestReport.ts"))
    const page = yield* Effect.promise(() => backtestReport(comparisons, { from, to, command }))
    yield* failing(`--report ${path}`, () => writeFileSync(path, page))
  }
  const told = path === undefined ? text : `${text}\n\nreport  ${path}`
  yield* print(given.json, backtestJson(comparisons, from, to), told)
})

/** Runs bots over the daily closes that the project ships. */
export const backtestCommand = Command.make("backtest", flags, run).pipe(
  Command.withShortDescription("Run a bot over real daily closes"),
  Command.withDescription(
    "Runs a bot's own evaluation over the daily closes that the project ships, one step a day and nothing from the " +
      "future, and says what it would have earned, beside buying nothing and 100 bidders that draw what they bid. The " +
      "same closes, strategy and seed give the same answer on every machine."
  ),
  Command.withExamples([
    { command: "npm run sim -- backtest", description: "The three presets, side by side" },
    {
      command: "npm run sim -- backtest --strategy bot.json --from 2026-08-20 --to 2026-09-29 --report backtest.html",
      description: "One's own bot, with charts and every decision"
    }
  ])
)
