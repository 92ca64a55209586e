import { Effect, Stream } from "effect"
import type { SealedDay } from "../../arena/history/HistoryDay.ts"
import { HistoryFiles } from "../../arena/history/HistoryFiles.ts"
import { HistoryRepository } from "../../arena/history/HistoryRepository.ts"
import { pricesOfDay } from "../../arena/history/DailyMedians.ts"
import { MedianRepository } from "../../arena/MedianRepository.ts"
import * as Setting from "../../Setting.ts"
import type { ArchivedDays } from "../Archiving.ts"
import { explained } from "../CommandFailed.ts"
import { type AuctionSource, auctionsOf } from "./AuctionSource.ts"

type Day = Pick<SealedDay, "day" | "bids">

/** The sealed days of a period, and those after them as far as their auctions have ended. */
const daysOf = Effect.fnUntraced(function* ({ from, to }: ArchivedDays) {
  const { after, unsealedAfter } = yield* HistoryRepository
  const days: Array<Day> = []
  let last = -1
  for (let day = yield* after(last); day !== undefined; day = yield* after(last)) {
    days.push({ day: day.day, bids: day.bids })
    last = day.day
  }
  const isSealed = yield* Setting.withDefault("ARENA_SEALED_BIDS", Setting.onOff, false)
  for (let next = yield* unsealedAfter(last); next !== undefined; next = yield* unsealedAfter(last)) {
    days.push({ day: next.day, bids: isSealed ? "sealed" : "open" })
    last = next.day
  }
  return days.filter(({ day }) => day >= from && day <= to)
})

/** The database of a server, whether that runs or not: all that is recorded until now, with the prices that are kept. */
export const databaseSource = Effect.fn("cli.databaseSource")(function* (period: ArchivedDays) {
  const days = yield* daysOf(period)
  const { contents } = yield* HistoryFiles
  const repositories = yield* Effect.context<MedianRepository>()
  const bids = new Map(days.map((day) => [day.day, day.bids]))
  const source: AuctionSource = {
    place: "the database",
    days: days.map(({ day }) => day),
    read: (day) =>
      Effect.gen(function* () {
        const file = contents({ day, bids: bids.get(day) ?? "open" }, "auctions.jsonl")
        const text = yield* Stream.mkString(Stream.decodeText(file))
        return {
          auctions: yield* Effect.fromResult(auctionsOf(day, text)),
          medians: yield* Effect.provideContext(pricesOfDay(day), repositories)
        }
      }).pipe(explained)
  }
  return source
})
