import { Context, Effect, Layer } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import { WINDOW_MILLIS } from "../../engine/arena/PriceBand.ts"
import { FAIR_WINDOW } from "../../engine/bot/FairPrice.ts"
import { PricedAssets } from "../../engine/bot/PricedAssets.ts"
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
    /** Is told when there are enough prices of something for a fair one, and were not before. Must not wait. */
    readonly onPriced: (listener: () => void) => Effect.Effect<void>
  }
>()("emporion/arena/SafePrices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* MedianRepository
      const { onRecorded } = yield* PriceBook
      const newest = new Map<string, Array<SourcedMedian>>()

      const priced = new PricedAssets(WINDOW_MILLIS)
      const listeners = new Set<() => void>()

      /** Answers whether its asset has a fair price from now on. */
      const add = (median: SourcedMedian): boolean => {
        if (!median.safe) return false
        const medians = newest.get(median.asset) ?? []
        newest.set(median.asset, medians)
        if ((medians.at(-1)?.at ?? 0) >= median.at) return false
        medians.push(median)
        if (medians.length > FAIR_WINDOW) medians.shift()
        return priced.add(median)
      }

      for (const median of yield* repository.newestSafe(FAIR_WINDOW)) add(median)
      yield* onRecorded((medians) => {
        if (medians.map(add).includes(true)) for (const listener of listeners) listener()
      })

      return SafePrices.of({
        of: (asset, at) => {
          const medians = newest.get(asset) ?? NONE
          const last = medians.at(-1)
          return last === undefined || last.at < at - WINDOW_MILLIS ? NONE : [...medians]
        },
        onPriced: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}
