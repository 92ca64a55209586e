import { Effect, Option, Stream } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { MedianRepository, type SourcedMedian } from "../MedianRepository.ts"
import { DAY } from "./HistoryDay.ts"

/** The class of recorded prices among what is removed at an age. */
export const MEDIANS_CLASS = "medians"

/** All prices of a day that are still kept, by time and asset, ten minutes at a time. */
export const pagesOfDay = (
  { next }: Pick<MedianRepository["Service"], "next">,
  day: number
): Stream.Stream<ReadonlyArray<SourcedMedian>, Unavailable> =>
  Stream.paginate<number, ReadonlyArray<SourcedMedian>, Unavailable>(day * DAY, (from) =>
    Effect.map(next(from, (day + 1) * DAY), (medians) => {
      const last = medians.at(-1)
      return last === undefined ? [[], Option.none<number>()] : [[medians], Option.some(last.at + 1)]
    })
  )

/** The same at once. A day that is older than prices are kept has none, or some. */
export const pricesOfDay = Effect.fn("DailyMedians.pricesOfDay")(function* (day: number) {
  return (yield* Stream.runCollect(pagesOfDay(yield* MedianRepository, day))).flat()
})
