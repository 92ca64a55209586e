import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { DeliveryTimes } from "../../../src/webhooks/DeliveryTimes.ts"
import { itEffect } from "../../lib/Effects.ts"

const times = Effect.provide(DeliveryTimes, DeliveryTimes.layer)

describe("DeliveryTimes", () => {
  itEffect("wakes at the earliest time, also where an earlier one comes while it waits", () =>
    Effect.gen(function* () {
      const { due, enter, take } = yield* times
      enter("whk_late", 10_000)
      const waiting = yield* Effect.forkChild(due)
      yield* TestClock.adjust(1_000)
      enter("whk_early", 2_000)
      yield* TestClock.adjust(999)
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(waiting)
      expect(yield* take).toEqual([{ webhookId: "whk_early", reload: false }])
      expect(yield* take).toEqual([])
      yield* TestClock.adjust(8_000)
      yield* due
      expect(yield* take).toEqual([{ webhookId: "whk_late", reload: false }])
    })
  )

  itEffect("gives one that changed at once, and once", () =>
    Effect.gen(function* () {
      const { changed, due, enter, take } = yield* times
      const waiting = yield* Effect.forkChild(due)
      yield* TestClock.adjust(0)
      enter("whk_a", 0)
      changed("whk_a")
      enter("whk_b", 0)
      yield* Fiber.join(waiting)
      expect(yield* take).toEqual([
        { webhookId: "whk_a", reload: true },
        { webhookId: "whk_b", reload: false }
      ])
      expect(yield* take).toEqual([])
    })
  )
})
