import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { DeliveryTimes, MAX_TOLD } from "../../../src/webhooks/DeliveryTimes.ts"
import { itEffect } from "../../lib/Effects.ts"

const dueOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    deliveryId: `whd_${index}`,
    eventId: "evt_a",
    eventSeq: index,
    body: "{}",
    round: 1,
    attempts: 0
  }))

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
      expect(yield* take).toEqual([{ webhookId: "whk_early", reload: false, told: undefined }])
      expect(yield* take).toEqual([])
      yield* TestClock.adjust(8_000)
      yield* due
      expect(yield* take).toEqual([{ webhookId: "whk_late", reload: false, told: undefined }])
    })
  )

  itEffect("gives what was told at once and once, unless there is more to look for", () =>
    Effect.gen(function* () {
      const { changed, due, enter, take, tell } = yield* times
      const waiting = yield* Effect.forkChild(due)
      yield* TestClock.adjust(0)
      tell("whk_a", dueOf(1))
      tell("whk_a", dueOf(2))
      enter("whk_a", 1)
      yield* Fiber.join(waiting)
      expect(yield* take).toEqual([{ webhookId: "whk_a", reload: false, told: [...dueOf(1), ...dueOf(2)] }])
      yield* TestClock.adjust(1)
      tell("whk_a", dueOf(1))
      changed("whk_b")
      tell("whk_b", dueOf(1))
      tell("whk_c", dueOf(MAX_TOLD))
      tell("whk_d", dueOf(MAX_TOLD))
      tell("whk_d", dueOf(1))
      const looks = new Map((yield* take).map(({ reload, told, webhookId }) => [webhookId, [reload, told?.length]]))
      expect(Object.fromEntries(looks)).toEqual({
        whk_a: [false, undefined],
        whk_b: [true, undefined],
        whk_c: [false, MAX_TOLD],
        whk_d: [false, undefined]
      })
      expect(yield* take).toEqual([])
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
        { webhookId: "whk_a", reload: true, told: undefined },
        { webhookId: "whk_b", reload: false, told: undefined }
      ])
      expect(yield* take).toEqual([])
    })
  )
})
