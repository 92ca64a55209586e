import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MedianRepository, type SourcedMedian } from "../../../src/arena/MedianRepository.ts"
import { PriceBook, type PriceListener } from "../../../src/arena/PriceBook.ts"
import { SafePrices } from "../../../src/arena/SafePrices.ts"
import { itEffect } from "../../lib/Effects.ts"

const median = (at: number, safe = true, asset = "XAU"): SourcedMedian => ({
  asset,
  at,
  price: fromUnits(BigInt(at)),
  safe,
  source: "test"
})

const prices = Effect.fnUntraced(function* (stored: ReadonlyArray<SourcedMedian>) {
  const listeners: Array<PriceListener> = []
  const needs = Layer.merge(
    Layer.mock(MedianRepository, { newestSafe: () => Effect.succeed(stored) }),
    Layer.mock(PriceBook, {
      latest: () => undefined,
      onRecorded: (listener) => Effect.sync(() => void listeners.push(listener))
    })
  )
  const context = yield* Layer.build(Layer.provide(SafePrices.layer, needs))
  const { of, onPriced } = yield* Effect.provideContext(SafePrices, context)
  const told: Array<void> = []
  yield* onPriced(() => void told.push(undefined))
  return {
    told,
    timesOf: (at: number, asset = "XAU") => of(asset, at).map((each) => each.at),
    record: (...medians: ReadonlyArray<SourcedMedian>) => listeners.forEach((listener) => listener(medians))
  }
})

describe("SafePrices", () => {
  itEffect("are what was recorded before the start and since, safe ones alone, oldest first", () =>
    Effect.gen(function* () {
      const { record, timesOf } = yield* prices([median(1), median(2, true, "EUR/USD"), median(3)])
      record(median(3), median(4, false), median(5))
      expect(timesOf(5)).toEqual([1, 3, 5])
      expect(timesOf(5, "EUR/USD")).toEqual([2])
      expect(timesOf(5, "XAG")).toEqual([])
    })
  )

  itEffect("tell when there are enough for a fair price, and were not", () =>
    Effect.gen(function* () {
      const { record, told } = yield* prices([median(1), median(2), median(3)])
      record(median(4), median(5, false))
      expect(told).toHaveLength(0)
      record(median(6), median(6, true, "XAG"))
      expect(told).toHaveLength(1)
      record(median(7))
      expect(told).toHaveLength(1)
      record(median(400_000))
      expect(told).toHaveLength(2)
    })
  )
})
