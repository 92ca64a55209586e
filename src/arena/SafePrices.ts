import { Context, Effect, Layer } from "effect"
import type { Median } from "../../engine/arena/Median.ts"
import { BotPrices } from "../../engine/bots/BotPrices.ts"
import { FAIR_WINDOW } from "../../engine/bots/FairPrice.ts"
import { MedianRepository } from "./MedianRepository.ts"
import { PriceBook } from "./PriceBook.ts"

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
      const prices = new BotPrices()
      const listeners = new Set<() => void>()

      for (const median of yield* repository.newestSafe(FAIR_WINDOW)) prices.add(median)
      yield* onRecorded((medians) => {
        if (medians.map((median) => prices.add(median)).includes(true)) for (const listener of listeners) listener()
      })

      return SafePrices.of({
        of: (asset, at) => prices.of(asset, at),
        onPriced: (listener) => Effect.sync(() => void listeners.add(listener))
      })
    })
  )
}
