import { describe, expect } from "bun:test"
import { Clock, Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { RequestFailed } from "../../../src/oracles/BoundedJson.ts"
import {
  BREAKER_FAILURES,
  BREAKER_OPEN_MILLIS,
  make,
  poll,
  REFRESH_MILLIS,
  STALE_AFTER_MILLIS
} from "../../../src/oracles/PolledSource.ts"
import { itEffect } from "../../lib/Effects.ts"

const broken = new RequestFailed({ reason: "status 500" })

/** A source whose health a test switches, and the count of requests that it let through. */
const switched = Effect.gen(function* () {
  const healthy = yield* Ref.make(true)
  const requests = yield* Ref.make(0)
  const source = yield* make(
    "rates",
    Effect.gen(function* () {
      const count = yield* Ref.updateAndGet(requests, (before) => before + 1)
      if (!(yield* Ref.get(healthy))) return yield* broken
      const observedAt = yield* Clock.currentTimeMillis
      return [{ asset: "XAU", price: fromUnits(BigInt(count)), source: "rates", observedAt, simulated: false }]
    })
  )
  return { healthy, requests, source }
})

describe("PolledSource", () => {
  itEffect("has no quotes before the first answer, then those of the last", () =>
    Effect.gen(function* () {
      const { source } = yield* switched
      expect(yield* Effect.flip(source.quotes)).toMatchObject({ source: "rates", reason: "no answer lately" })
      yield* source.refresh
      yield* source.refresh
      expect(yield* source.quotes).toMatchObject([{ price: fromUnits(2n) }])
    })
  )

  itEffect("bridges failures until its quotes are stale", () =>
    Effect.gen(function* () {
      const { healthy, source } = yield* switched
      yield* source.refresh
      yield* Ref.set(healthy, false)
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "status 500" })
      yield* TestClock.adjust(STALE_AFTER_MILLIS)
      expect((yield* source.quotes).length).toBe(1)
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(source.quotes)).toMatchObject({ reason: "no answer lately" })
    })
  )

  itEffect("leaves a failing source alone, probes it once, and closes when it recovered", () =>
    Effect.gen(function* () {
      const { healthy, requests, source } = yield* switched
      yield* Ref.set(healthy, false)
      for (let failure = 1; failure <= BREAKER_FAILURES; failure++) yield* Effect.flip(source.refresh)
      const refused = yield* Effect.flip(source.refresh)
      expect(refused.message).toBe("Price source rates: left alone after 3 failures in a row")
      expect(yield* Ref.get(requests)).toBe(BREAKER_FAILURES)

      yield* TestClock.adjust(BREAKER_OPEN_MILLIS)
      expect(yield* Effect.flip(source.refresh)).toMatchObject({ reason: "status 500" })
      yield* Effect.flip(source.refresh)
      expect(yield* Ref.get(requests)).toBe(BREAKER_FAILURES + 1)

      yield* Ref.set(healthy, true)
      yield* TestClock.adjust(BREAKER_OPEN_MILLIS)
      yield* source.refresh
      yield* source.refresh
      expect(yield* Ref.get(requests)).toBe(BREAKER_FAILURES + 3)
    })
  )

  itEffect("forgets failures that a success parts", () =>
    Effect.gen(function* () {
      const { healthy, requests, source } = yield* switched
      for (let round = 1; round <= BREAKER_FAILURES; round++) {
        yield* Ref.set(healthy, false)
        yield* Effect.flip(source.refresh)
        yield* Ref.set(healthy, true)
        yield* source.refresh
      }
      expect(yield* Ref.get(requests)).toBe(2 * BREAKER_FAILURES)
    })
  )

  itEffect("asks at once and at each interval, past failures, and stops with its scope", () =>
    Effect.gen(function* () {
      const { healthy, requests, source } = yield* switched
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* poll(source)
          yield* TestClock.adjust(0)
          expect(yield* Ref.get(requests)).toBe(1)
          yield* Ref.set(healthy, false)
          yield* TestClock.adjust(REFRESH_MILLIS)
          expect(yield* Ref.get(requests)).toBe(2)
          yield* Ref.set(healthy, true)
          yield* TestClock.adjust(REFRESH_MILLIS)
          expect(yield* source.quotes).toMatchObject([{ price: fromUnits(3n) }])
        })
      )
      yield* TestClock.adjust(10 * REFRESH_MILLIS)
      expect(yield* Ref.get(requests)).toBe(3)
    })
  )
})
