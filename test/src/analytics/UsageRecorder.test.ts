import { describe, expect } from "bun:test"
import { Duration, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { FLUSH_INTERVAL, UsageRecorder } from "../../../src/analytics/UsageRecorder.ts"
import { UsageRepository } from "../../../src/analytics/UsageRepository.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { RequestUsage } from "../../../src/http/RequestUsage.ts"
import { itEffect } from "../../lib/Effects.ts"

/** A repository that remembers how many requests it was given, and can be broken. */
const fake = () => {
  const written: Array<number> = []
  const state = { broken: false, stuck: false }
  const layer = Layer.mock(UsageRepository, {
    add: (usage) =>
      Effect.suspend(() => {
        if (state.stuck) return Effect.never
        if (state.broken) return Effect.fail(new Unavailable({ reason: "broken" }))
        if (usage.length > 0) written.push(usage.reduce((sum, { cell }) => sum + cell.requests, 0))
        return Effect.void
      }),
    read: () => Effect.succeed([])
  })
  return { written, state, recorder: UsageRecorder.layer.pipe(Layer.provide(layer)) }
}

describe("UsageRecorder", () => {
  itEffect("writes what the server counts every ten seconds", () => {
    const { recorder, written } = fake()
    return Effect.gen(function* () {
      const count = yield* RequestUsage
      count("cmp_1", "GET /a", 200, 0.001)
      count("cmp_1", "GET /b", 200, 0.001)
      yield* TestClock.adjust(FLUSH_INTERVAL)
      expect(written).toEqual([2])
      yield* TestClock.adjust(FLUSH_INTERVAL)
      count("", "GET /a", 200, 0.001)
      yield* TestClock.adjust(Duration.seconds(9))
      expect(written).toEqual([2])
      yield* TestClock.adjust(Duration.seconds(1))
      expect(written).toEqual([2, 1])
    }).pipe(
      Effect.provide(Layer.merge(UsageRecorder.counting, UsageRecorder.running).pipe(Layer.provideMerge(recorder)))
    )
  })

  itEffect("does not wait for ever at the end", () => {
    const { recorder, state } = fake()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(recorder, scope)
      const { counts } = yield* Effect.provideContext(UsageRecorder, context)
      state.stuck = true
      counts.count("cmp_1", "GET /a", 200, 0.001)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(Duration.seconds(2))
      yield* Fiber.join(closing)
    })
  })

  itEffect("keeps what cannot be written, and writes the rest at the end", () => {
    const { recorder, state, written } = fake()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(recorder, scope)
      const { counts, flush } = yield* Effect.provideContext(UsageRecorder, context)
      state.broken = true
      counts.count("cmp_1", "GET /a", 200, 0.001)
      yield* flush
      counts.count("cmp_1", "GET /a", 200, 0.001)
      yield* flush
      expect(written).toEqual([])
      state.broken = false
      yield* flush
      yield* flush
      expect(written).toEqual([2])
      counts.count("cmp_1", "GET /a", 200, 0.001)
      yield* Scope.close(scope, Exit.void)
      expect(written).toEqual([2, 1])
    })
  })
})
