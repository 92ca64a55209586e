import { Effect } from "effect"
import type { AuctionOutcome } from "../../../engine/market/AuctionOutcome.ts"
import { MarketReplay, type Moment, type ReplayPlan } from "../../../engine/market/MarketReplay.ts"
import { toNumber } from "../../../engine/money/Amount.ts"
import { DAY } from "../../arena/history/HistoryDay.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { AuctionSource } from "./AuctionSource.ts"
import { bidOf } from "../../arena/ProgramBids.ts"
import type { Trader } from "./Trader.ts"

/** How often a program may be told of one moment before it is taken to answer its own answers for ever. */
const MOST_ROUNDS = 10_000

/** What goes wrong between the engine and a history says itself what it is. */
const attempt = <A>(act: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({
    try: act,
    catch: (cause) => new CommandFailed({ message: cause instanceof Error ? cause.message : String(cause) })
  })

/** Plays everything before a time to a trader. */
const playTo = Effect.fnUntraced(function* (replay: MarketReplay, trader: Trader, before: number) {
  let [at, rounds] = [0, 0]
  for (;;) {
    const moment: Moment | undefined = yield* attempt(() => replay.next(before))
    if (moment === undefined) return
    rounds = moment.at === at ? rounds + 1 : 0
    at = moment.at
    if (rounds > MOST_ROUNDS) {
      return yield* new CommandFailed({
        message: `The program acts without end at ${isoUtc(at)}: wake it later, or give it a --latency.`
      })
    }
    const { commitments, wakeAt } = yield* trader.take(moment, toNumber(replay.account.free))
    replay.reply(commitments.map(bidOf), wakeAt)
  }
})

/** Plays a source's auctions to a trader, day by day, and tells what became of each. */
export const replayMarket = Effect.fn("cli.replayMarket")(function* (
  source: AuctionSource,
  trader: Trader,
  plan: Omit<ReplayPlan, "channels">,
  told: (outcome: AuctionOutcome) => void
) {
  const replay = new MarketReplay({ ...plan, channels: trader.channels })
  for (const [index, day] of source.days.entries()) {
    const { auctions, medians } = yield* source.read(day)
    yield* attempt(() => replay.add(auctions, medians))
    const next = source.days[index + 1]
    // What a later day brings settles in it, and opened at most a day before.
    yield* playTo(replay, trader, next === undefined ? Infinity : (next - 1) * DAY)
    for (const outcome of replay.drain()) told(outcome)
  }
})
