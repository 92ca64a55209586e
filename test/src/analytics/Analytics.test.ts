import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Analytics, type UsageQuery } from "../../../src/analytics/Analytics.ts"
import { ActivityRepository } from "../../../src/analytics/ActivityRepository.ts"
import { type EndpointDay, UsageRepository } from "../../../src/analytics/UsageRepository.ts"
import { itEffect } from "../../lib/Effects.ts"

const DAY = 86_400_000
const TODAY = 20_000
const LIMITS = { usual: 30, most: 92 }

const row = (day: number, endpoint: string, latency: ReadonlyArray<number>): EndpointDay => ({
  day,
  endpoint,
  requests: latency.reduce((sum, count) => sum + count, 0),
  clientErrors: 1,
  serverErrors: 2,
  latency
})

const rows = [row(TODAY - 2, "POST /b", [1]), row(TODAY, "GET /a", [0, 2]), row(TODAY, "POST /b", [3, 0, 4])]

const done = [
  { day: TODAY - 1, activity: "orders_placed", times: 2, volume: 5_000_000n },
  { day: TODAY, activity: "orders_placed", times: 1, volume: 1n },
  { day: TODAY, activity: "credit_assessments", times: 1, volume: 0n }
]

const within =
  (from: number, to: number) =>
  ({ day }: { readonly day: number }) =>
    day >= from && day <= to

const layer = Analytics.layer.pipe(
  Layer.provide([
    Layer.mock(UsageRepository, {
      add: () => Effect.void,
      read: ({ from, to }) => Effect.succeed(rows.filter(within(from, to)))
    }),
    Layer.mock(ActivityRepository, {
      position: Effect.succeed(0),
      add: () => Effect.void,
      read: ({ from, to }) => Effect.succeed(done.filter(within(from, to)))
    })
  ])
)

const usage = (query: Partial<UsageQuery>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(TODAY * DAY + 1)
    const asked = { companyId: "cmp_1", from: undefined, to: undefined, endpoint: undefined, ...query }
    return yield* Effect.flatMap(Analytics, (analytics) => analytics.usage(asked, LIMITS))
  }).pipe(Effect.provide(layer))

describe("Analytics", () => {
  itEffect("has every day of the range, and totals that are their sum", () =>
    Effect.gen(function* () {
      const found = yield* usage({ from: TODAY - 2 })
      expect(found.days.map(({ day, requests }) => [day, requests])).toEqual([
        [TODAY - 2, 1],
        [TODAY - 1, 0],
        [TODAY, 9]
      ])
      expect(found.days[1]?.activities).toEqual([{ activity: "orders_placed", times: 2, volume: 5_000_000n }])
      expect(found.totals).toEqual({
        requests: 10,
        clientErrors: 3,
        serverErrors: 6,
        latency: [4, 2, 4],
        endpoints: [
          { endpoint: "GET /a", requests: 2, clientErrors: 1, serverErrors: 2, latency: [0, 2] },
          { endpoint: "POST /b", requests: 8, clientErrors: 2, serverErrors: 4, latency: [4, 0, 4] }
        ],
        activities: [
          { activity: "credit_assessments", times: 1, volume: 0n },
          { activity: "orders_placed", times: 3, volume: 5_000_001n }
        ]
      })
    })
  )

  itEffect("covers the usual days up to today where none are named", () =>
    Effect.gen(function* () {
      const rangeOf = (query: Partial<UsageQuery>) =>
        usage(query).pipe(
          Effect.map(({ from, to }) => [from, to]),
          Effect.result,
          Effect.map((result) =>
            Result.isSuccess(result) ? result.success : (result.failure as { readonly field: string }).field
          )
        )
      expect(yield* rangeOf({})).toEqual([TODAY - 29, TODAY])
      expect(yield* rangeOf({ to: TODAY - 9 })).toEqual([TODAY - 38, TODAY - 9])
      expect(yield* rangeOf({ to: 3 })).toEqual([0, 3])
      expect(yield* rangeOf({ from: TODAY - 91 })).toEqual([TODAY - 91, TODAY])
      expect(yield* rangeOf({ from: TODAY + 5 })).toEqual([TODAY + 5, TODAY + 5])
      expect(yield* rangeOf({ from: TODAY - 92 })).toBe("from")
      expect(yield* rangeOf({ from: TODAY, to: TODAY - 1 })).toBe("to")
    })
  )
})
