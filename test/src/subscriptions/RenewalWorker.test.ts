import { describe, expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { Renewals, ROUND } from "../../../src/subscriptions/Renewals.ts"
import * as RenewalWorker from "../../../src/subscriptions/RenewalWorker.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("RenewalWorker", () => {
  itEffect("looks again after any failure, and at once while rounds are full", () =>
    Effect.gen(function* () {
      const answers: Array<Effect.Effect<number, Unavailable>> = [
        Effect.fail(new Unavailable({ reason: "away" })),
        Effect.die(new Error("stumbled")),
        Effect.succeed(ROUND),
        Effect.succeed(3)
      ]
      let looks = 0
      const round = Effect.suspend(() => answers[looks++] ?? Effect.succeed(0))
      yield* Layer.build(RenewalWorker.layer.pipe(Layer.provide(Layer.succeed(Renewals, Renewals.of({ round })))))
      const after = (seconds: number) => Effect.map(TestClock.adjust(Duration.seconds(seconds)), () => looks)
      expect(yield* after(1)).toBe(1)
      expect(yield* after(30)).toBe(2)
      expect(yield* after(30)).toBe(4)
      expect(yield* after(28)).toBe(4)
      expect(yield* after(1)).toBe(5)
    })
  )
})
