import { Effect } from "effect"
import { INSTRUMENTS } from "../../../engine/arena/Instrument.ts"
import type { Median } from "../../../engine/arena/Median.ts"
import { MedianRepository } from "../MedianRepository.ts"
import { DAY } from "./HistoryDay.ts"

/** All prices of a day that are still kept, ascending. A day that is older than they are kept has none, or some. */
export const pricesOfDay = Effect.fn("DailyMedians.pricesOfDay")(function* (day: number) {
  const { between } = yield* MedianRepository
  const byAsset = yield* Effect.forEach(INSTRUMENTS, ({ asset }) => between(asset, day * DAY, (day + 1) * DAY))
  const all: ReadonlyArray<Median> = byAsset.flat()
  return all.toSorted((one, other) => one.at - other.at)
})
