import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { WakeSignal } from "../../../src/webhooks/WakeSignal.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("The wake signal of deliveries", () => {
  itEffect("is heard by all who listen, as long as they do", () =>
    Effect.gen(function* () {
      const wakeSignal = yield* WakeSignal
      const [always, once]: [Array<string>, Array<string>] = [[], []]
      yield* wakeSignal.listen((webhookId) => always.push(webhookId))
      yield* Effect.scoped(
        Effect.andThen(
          wakeSignal.listen((webhookId) => once.push(webhookId)),
          wakeSignal.ring("whk_1")
        )
      )
      yield* wakeSignal.ring("whk_2")
      expect([always, once]).toEqual([["whk_1", "whk_2"], ["whk_1"]])
    }).pipe(Effect.provide(WakeSignal.layer))
  )
})
