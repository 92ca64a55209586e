import { Effect, Layer } from "effect"
import { instrumentOf } from "../../engine/arena/Instrument.ts"
import { PriceBook } from "../arena/PriceBook.ts"
import { ArenaStream } from "./ArenaStream.ts"

/** Sends every recorded price to the stream's clients. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const stream = yield* ArenaStream
    const prices = yield* PriceBook
    yield* prices.onRecorded((medians) => {
      for (const { asset, price, source, at } of medians) {
        const assetType = instrumentOf(asset)?.assetType
        if (assetType !== undefined) stream.publishPrice({ assetType, asset, price, source, at })
      }
    })
  })
)
