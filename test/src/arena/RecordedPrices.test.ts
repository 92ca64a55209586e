import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { MedianRepository, type SourcedMedian } from "../../../src/arena/MedianRepository.ts"
import { RecordedPrices } from "../../../src/arena/RecordedPrices.ts"
import { itLive } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const median = (asset: string, at: number): SourcedMedian => ({
  asset,
  at,
  price: fromUnits(BigInt(at)),
  safe: true,
  source: "test"
})

describe("RecordedPrices", () => {
  itLive("are told after a time, by time and asset, and the last of each asset before one", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const [first, second, third, late] = [median("B", 10), median("A", 20), median("B", 20), median("A", 900_000)]
      const during = Effect.gen(function* () {
        const { insert } = yield* MedianRepository
        yield* insert([late, third, second, first])
        const { after, lastBefore, newest } = yield* RecordedPrices
        expect(yield* after(0)).toEqual([first, second, third])
        expect(yield* after(10)).toEqual([second, third])
        // What lies further than ten minutes behind the first one comes with the next reading.
        expect(yield* after(20)).toEqual([late])
        expect(yield* after(900_000)).toEqual([])
        expect(yield* lastBefore(20)).toEqual([first])
        expect(yield* newest).toEqual([late, third])
      })
      yield* server.run(during)
    })
  )
})
