import { Context, Effect, Layer } from "effect"
import type { Unavailable } from "../database/DatabaseError.ts"
import { MedianRepository, type SourcedMedian } from "./MedianRepository.ts"

/** The prices that are recorded, in sequence, on whichever node. */
export class RecordedPrices extends Context.Service<
  RecordedPrices,
  {
    /** The first ones after a time, by time and asset; none where there are none yet. */
    readonly after: (time: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** The last one of each asset before a time. */
    readonly lastBefore: (time: number) => Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
    /** The newest one of each asset. */
    readonly newest: Effect.Effect<ReadonlyArray<SourcedMedian>, Unavailable>
  }
>()("emporion/arena/RecordedPrices") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(MedianRepository, ({ lastBefore, newest, next }) =>
      RecordedPrices.of({ after: (time) => next(time + 1, Number.MAX_SAFE_INTEGER), lastBefore, newest })
    )
  )
}
