import { Context, Effect, Layer } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import { WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import { FAIR_WINDOW } from "../../engine/bot/FairPrice.ts"
import type { SourcedMedian } from "./MedianRepository.ts"
import { MedianRepository } from "./MedianRepository.ts"
import { PriceBook } from "./PriceBook.ts"

const NONE: ReadonlyArray<Median> = []

/** The newest safe medians of each asset, as many as a fair price is made of, in memory. */
export class SafePrices extends Context.Service<
  SafePrices,
  {
    /** An asset's, oldest first; none where the newest is not of the last five minutes before `at`. */
    readonly of: (asset: string, at: number) => ReadonlyArray<Median>
  }
>()("emporion/arena/SafePrices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* MedianRepository
      const { onRecorded } = yield* PriceBook
      const newest = new Map<string, Array<SourcedMedian>>()

      const add = (median: SourcedMedian): void => {
        if (!median.safe) return
        const medians = newest.get(median.asset) ?? []
        newest.set(median.asset, medians)
        if ((medians.at(-1)?.at ?? 0) >= median.at) return
        medians.push(median)
        if (medians.length > FAIR_WINDOW) medians.shift()
      }

      for (const median of yield* repository.newestSafe(FAIR_WINDOW)) add(median)
      yield* onRecorded((medians) => medians.forEach(add))

      return SafePrices.of({
        of: (asset, at) => {
          const medians = newest.get(asset) ?? NONE
          const last = medians.at(-1)
          return last === undefined || last.at < at - WINDOW_MILLIS ? NONE : [...medians]
        }
      })
    })
  )
}
