import { describe, expect } from "bun:test"
import { Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { DeliveryRepository, type KeptRecord } from "../../../src/webhooks/DeliveryRepository.ts"
import { DeliveryWriter, MAX_GROUP } from "../../../src/webhooks/DeliveryWriter.ts"
import { itEffect } from "../../lib/Effects.ts"

const recordOf = (index: number): KeptRecord => ({
  webhookId: "whk_a",
  delivery: { deliveryId: `whd_${index}`, eventId: "evt_a", eventSeq: 1, body: "", round: 1, attempts: 0 },
  outcome: { startedAt: 0, endedAt: 1, status: 200 },
  sent: { url: "", headers: "{}", error: null, answer: "" },
  after: { status: "delivered", attempts: 1, dueAt: null },
  health: { failingSince: null }
})

const idsOf = (records: ReadonlyArray<KeptRecord>) => records.map(({ delivery }) => delivery.deliveryId)

const writer = Effect.gen(function* () {
  const groups: Array<ReadonlyArray<KeptRecord>> = []
  const told: Array<string> = []
  const state = { isAway: false, tries: 0 }
  const gate = yield* Latch.make(true)
  const repository = Layer.mock(DeliveryRepository, {
    record: (records) =>
      Effect.gen(function* () {
        state.tries += 1
        yield* gate.await
        if (state.isAway) return yield* new Unavailable({ reason: "away" })
        groups.push(records)
      })
  })
  const { enter, onWritten } = yield* Effect.map(
    Layer.build(Layer.provide(DeliveryWriter.layer, repository)),
    (built) => DeliveryWriter.pipe(Effect.provideContext(built))
  ).pipe(Effect.flatten)
  yield* onWritten((records) => told.push(...idsOf(records)))
  return { enter, gate, groups, state, told }
})

describe("DeliveryWriter", () => {
  itEffect("writes what ended meanwhile as one group, and tells of it afterwards", () =>
    Effect.gen(function* () {
      const { enter, gate, groups, told } = yield* writer
      gate.closeUnsafe()
      enter(recordOf(0))
      yield* TestClock.adjust(1)
      for (let index = 1; index <= MAX_GROUP + 1; index++) enter(recordOf(index))
      yield* TestClock.adjust(1)
      expect([groups.length, told.length]).toEqual([0, 0])
      gate.openUnsafe()
      yield* TestClock.adjust(1)
      expect(groups.map(({ length }) => length)).toEqual([1, MAX_GROUP, 1])
      expect(told).toEqual(Array.from({ length: MAX_GROUP + 2 }, (_, index) => `whd_${index}`))
    })
  )

  itEffect("writes until it can, and loses nothing", () =>
    Effect.gen(function* () {
      const { enter, groups, state, told } = yield* writer
      state.isAway = true
      enter(recordOf(0))
      yield* TestClock.adjust(1)
      enter(recordOf(1))
      yield* TestClock.adjust(60_000)
      expect(state.tries).toBeGreaterThan(10)
      expect(state.tries).toBeLessThan(25)
      expect(told).toEqual([])
      state.isAway = false
      yield* TestClock.adjust(5_000)
      expect(groups.map(idsOf)).toEqual([["whd_0"], ["whd_1"]])
      expect(told).toEqual(["whd_0", "whd_1"])
    })
  )
})
