import { Config, Duration, Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { writeFileSync } from "node:fs"
import * as Amount from "../../engine/money/Amount.ts"
import { DAY } from "../arena/history/HistoryDay.ts"
import type { ArchivedDays } from "./Archiving.ts"
import { CommandFailed, CommandMisused, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource as databaseAt } from "./CommandSource.ts"
import { dayFlag, daysOf } from "./DayFlag.ts"
import { databaseOf } from "./EventLog.ts"
import type { AuctionSource } from "./market/AuctionSource.ts"
import { databaseSource } from "./market/DatabaseSource.ts"
import { folderSource } from "./market/FolderSource.ts"
import { replayMarket } from "./market/MarketReplaying.ts"
import { moduleTrader } from "./market/ModuleTrader.ts"
import { processTrader } from "./market/ProcessTrader.ts"
import { replayPage } from "./market/ReplayPage.tsx"
import { ReplayReport, replayJson } from "./market/ReplayReport.ts"
import { replayText } from "./market/ReplayText.ts"
import { serverSource } from "./market/ServerSource.ts"
import { hashing } from "./ReplayHashes.ts"
import * as BunPageBundler from "../runtime/bun/BunPageBundler.ts"
import { databaseFlags, type DatabaseFlags } from "./SourceFlags.ts"

/** The company of a program whose own is not said: no recorded one is called so. */
const NOBODY = "replay"

const amount = (name: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(Result.getOrUndefined(Amount.parse(text))),
      () => "Expected an amount such as 100000"
    )
  )

const flags = {
  with: Flag.String("with").pipe(
    Flag.withDescription("A module of TypeScript or JavaScript whose default export is the program"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  from: dayFlag("from", "The first day, such as 2026-01-31. Default: the first that is recorded"),
  to: dayFlag("to", "The last day, such as 2026-01-31. Default: the last that is recorded"),
  history: Flag.String("history").pipe(
    Flag.withDescription("A folder that `emporion archive` wrote"),
    Flag.withMetavar("DIR"),
    Flag.optional
  ),
  url: Flag.String("url").pipe(
    Flag.withDescription("A server whose public history is taken; the access token is in EMPORION_TOKEN"),
    Flag.withMetavar("URL"),
    Flag.optional
  ),
  ...databaseFlags,
  owner: Flag.String("owner").pipe(
    Flag.withDescription("Your company's id: its recorded bids are left out. Default: the program is nobody recorded"),
    Flag.withMetavar("ID"),
    Flag.filter(
      (id) => id.startsWith("cmp_"),
      () => "Expected a company's id, which begins with cmp_"
    ),
    Flag.withDefault(NOBODY)
  ),
  as: Flag.Literals("as", ["machine", "human"]).pipe(
    Flag.withDescription("What the 3/4 rule takes the program for. Default: machine"),
    Flag.withDefault("machine")
  ),
  once: Flag.Boolean("once").pipe(
    Flag.withDescription("Take its first bid on an order alone, as of a bot's module"),
    Flag.withDefault(false)
  ),
  balance: amount("balance").pipe(
    Flag.withDescription("USD that it begins with. Default: 100000"),
    Flag.withMetavar("USD"),
    Flag.withDefault(Amount.fromUnits(100_000n * Amount.ONE))
  ),
  latency: Flag.Int("latency").pipe(
    Flag.withDescription("Milliseconds from what it is told to the arrival of its bid. Default: 50"),
    Flag.withMetavar("MS"),
    Flag.withDefault(50)
  ),
  timeout: Flag.Int("timeout").pipe(
    Flag.withDescription(
      "Seconds for one answer of a program of its own process, or one call of a module's onEvent up to its first await. Default: 10"
    ),
    Flag.withMetavar("S"),
    Flag.withDefault(10)
  ),
  report: Flag.String("report").pipe(
    Flag.withDescription("Write a page of HTML with charts, which needs no other file"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  json,
  program: Argument.String("program").pipe(
    Argument.withDescription("Behind --: a program and its arguments, which reads and answers lines of JSON"),
    Argument.variadic()
  )
}

type Given = Command.Command.Config.Infer<typeof flags>

interface Playing {
  readonly given: Given
  readonly days: ArchivedDays
}

const token = Effect.orDie(Effect.map(Config.option(Config.String("EMPORION_TOKEN")), Option.getOrUndefined))

/** Plays the auctions of a source to the program, and answers what to report. */
const play = Effect.fnUntraced(function* ({ given }: Playing, source: AuctionSource) {
  const [path, command] = [Option.getOrUndefined(given.with), given.program]
  const { as: type, balance, latency, once, owner } = given
  const terms = { owner, trader_type: type, balance: Amount.toNumber(balance), latency_ms: latency }
  const begins = (source.days[0] ?? 0) * DAY
  const timeout = Duration.seconds(given.timeout)
  const trader =
    path === undefined ? yield* processTrader(command, terms, begins, timeout) : yield* moduleTrader(path, timeout)
  const report = new ReplayReport({
    command: `emporion ${process.argv.slice(2).join(" ")}`,
    program: path ?? command.join(" "),
    place: source.place,
    days: source.days,
    balance
  })
  const plan = { owner, type, balance, latency, once, tieHash: hashing.tieHash }
  yield* replayMarket(source, trader, plan, (outcome) => report.add(outcome))
  return report
}, Effect.scoped)

const playOn = Effect.fnUntraced(function* (playing: Playing) {
  const { days, given } = playing
  const [folder, url] = [Option.getOrUndefined(given.history), Option.getOrUndefined(given.url)]
  const hasDatabase = Option.isSome(given.database) || Option.isSome(given.dataDir)
  if ([folder !== undefined, url !== undefined, hasDatabase].filter((one) => one).length > 1) {
    return yield* new CommandMisused({
      message: "Give one of --history, --url, --database and --data-dir, not several."
    })
  }
  if (folder !== undefined) return yield* play(playing, yield* folderSource(folder, days))
  if (url === undefined) {
    const source = yield* databaseAt(given satisfies DatabaseFlags)
    return yield* Effect.provide(
      Effect.flatMap(databaseSource(days), (recorded) => play(playing, recorded)),
      databaseOf(source)
    )
  }
  const bearer = yield* token
  if (!URL.canParse(url)) return yield* new CommandMisused({ message: "--url: expected a URL." })
  if (bearer === undefined) return yield* new CommandFailed({ message: "Set EMPORION_TOKEN to an access token." })
  const source = yield* Effect.provide(serverSource(new URL(url), bearer, days), FetchHttpClient.layer)
  return yield* play(playing, source)
})

const run = Effect.fnUntraced(function* (given: Given) {
  if (Option.isSome(given.with) === given.program.length > 0) {
    return yield* new CommandMisused({
      message: "Give a program: either --with FILE, or one and its arguments behind --."
    })
  }
  const days = yield* daysOf(given)
  const report = yield* explained(playOn({ given, days }))
  const path = Option.getOrUndefined(given.report)
  if (path !== undefined) {
    const page = yield* Effect.provide(replayPage(report), BunPageBundler.layer)
    yield* Effect.try({
      try: () => writeFileSync(path, page),
      catch: (cause) => new CommandFailed({ message: `--report: ${cause instanceof Error ? cause.message : cause}.` })
    })
  }
  yield* print(given.json, replayJson(report), replayText(report))
  const { different } = report
  if (different === undefined) return
  return yield* new CommandFailed({
    message: `${different.orderId} does not come out as published: this program has other rules than the one that chose it.`
  })
})

/** Plays a program of one's own against recorded auctions. */
export const replayMarketCommand = Command.make("replay-market", flags, run).pipe(
  Command.withShortDescription("Play your own program against recorded auctions"),
  Command.withDescription(
    "Plays a program against recorded auctions with all their real rivals, and says what it would have won, paid and " +
      "earned, and what the best bid would have been. The program hears what was public at each moment and nothing later, " +
      "and its bids are refused, chosen and settled by the rules of the arena. First every choice is made again with " +
      "nothing changed: where one does not come out as published, the command fails. Takes the database of the environment " +
      "unless it is told otherwise, and does not disturb a running server. docs/concepts/market-replay.md says what a " +
      "program hears and answers."
  ),
  Command.withExamples([
    { command: "emporion replay-market --with my.ts", description: "All that this server's database has" },
    {
      command: "emporion replay-market --history november --with my.ts --report november.html",
      description: "A folder that emporion archive wrote, with a page of charts"
    },
    {
      command: "emporion replay-market --history november --json -- python3 my.py --risk 0.5",
      description: "A program in another language, with a report for a program"
    }
  ])
)
