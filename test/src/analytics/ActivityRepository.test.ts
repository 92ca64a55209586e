import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import { ActivityRepository } from "../../../src/analytics/ActivityRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(ActivityRepository.layer.pipe(Layer.provide(TestDatabase.layer)))

const placed = (companyId: string, day: number, times: number, volume: bigint) => ({
  companyId,
  day,
  activity: "orders_placed",
  times,
  volume
})

describe("ActivityRepository", () => {
  it("adds once what stands between two places of the journal, and reads the sums", () =>
    Effect.gen(function* () {
      const { add, position, read } = yield* ActivityRepository
      const from = yield* position
      yield* add([placed("cmp_1", 5, 1, 10n), placed("cmp_1", 5, 2, 20n), placed("cmp_2", 5, 1, 1n)], from, from + 7)
      const again = yield* Effect.result(add([placed("cmp_1", 5, 1, 10n)], from, from + 7))
      expect(Result.isFailure(again) && again.failure._tag).toBe("AlreadyCounted")
      yield* add([placed("cmp_1", 5, 1, 8_000_000_000_000_000n), placed("cmp_1", 6, 1, 0n)], from + 7, from + 9)
      yield* add([], from + 9, from + 12)
      expect(yield* position).toBe(from + 12)
      const activity = "orders_placed"
      expect(yield* read({ companyId: "cmp_1", from: 0, to: 9 })).toEqual([
        { day: 5, activity, times: 4, volume: 8_000_000_000_000_030n },
        { day: 6, activity, times: 1, volume: 0n }
      ])
      expect(yield* read({ companyId: undefined, from: 5, to: 5 })).toEqual([
        { day: 5, activity, times: 5, volume: 8_000_000_000_000_031n }
      ])
    }))

  it("removes the counts of days before one, so many at once", () =>
    Effect.gen(function* () {
      const { add, position, prune, read } = yield* ActivityRepository
      const from = yield* position
      yield* add(
        [20, 21, 22].map((day) => placed("cmp_old", day, 1, 1n)),
        from,
        from + 1
      )
      yield* prune(20, 100)
      expect([yield* prune(22, 3), yield* prune(22, 3), yield* prune(22, 3)]).toEqual([3, 1, 0])
      expect((yield* read({ companyId: "cmp_old", from: 0, to: 99 })).map(({ day }) => day)).toEqual([22])
    }))
})
