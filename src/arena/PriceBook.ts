import { Context, Effect, Layer } from "effect"
import type { Problem } from "../../engine/arena/CircuitBreaker.ts"
import type { Median } from "../../engine/arena/Median.ts"
import { WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import { PriceBoard } from "../../engine/arena/PriceBoard.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { Oracles } from "../oracles/Oracles.ts"
import { MedianRepository, type SourcedMedian } from "./MedianRepository.ts"

/** Told of medians that were recorded. Must not block. */
export type PriceListener = (medians: ReadonlyArray<SourcedMedian>) => void

/** The recorded medians of everything the arena trades, and what is wrong with them. */
export class PriceBook extends Context.Service<
  PriceBook,
  {
    /** Asks the oracles, records a median of each asset, and answers what is wrong with prices at this time. */
    readonly record: (now: number) => Effect.Effect<ReadonlyArray<Problem>, Unavailable>
    /** The last recorded median of an asset, safe or not, within five minutes. */
    readonly latest: (asset: string) => Median | undefined
    /** The recorded medians of an asset from a time on, ascending. */
    readonly since: (asset: string, from: number) => Effect.Effect<ReadonlyArray<Median>, Unavailable>
    readonly onRecorded: (listener: PriceListener) => Effect.Effect<void>
  }
>()("emporion/arena/PriceBook") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const oracles = yield* Oracles
      const repository = yield* MedianRepository
      const board = new PriceBoard()
      const listeners = new Set<PriceListener>()

      const newest = yield* repository.newest
      const last = newest.reduce((latest, { at }) => Math.max(latest, at), 0)
      for (const median of yield* repository.recent(last - WINDOW_MILLIS)) board.add(median)

      const record = Effect.fn("PriceBook.record")(function* (now: number) {
        const { medians, problems } = board.judge(yield* oracles.medians, now)
        const recorded = medians.map(({ median, quote }): SourcedMedian => ({ ...median, source: quote.source }))
        if (recorded.length > 0) yield* repository.insert(recorded)
        for (const median of recorded) board.add(median)
        if (recorded.length > 0) for (const listener of listeners) listener(recorded)
        return problems
      })

      return PriceBook.of({
        record,
        latest: (asset) => board.latest(asset),
        since: (asset, from) => repository.since(asset, from),
        onRecorded: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}
