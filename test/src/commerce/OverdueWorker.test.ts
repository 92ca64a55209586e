import { describe, expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { DueInstalments } from "../../../src/commerce/DueInstalments.ts"
import * as OverdueWorker from "../../../src/commerce/OverdueWorker.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { DueWork, DueWorks } from "../../../src/DueWork.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("OverdueWorker", () => {
  itEffect("looks again after any failure, and at each step of a clock that is set forward", () =>
    Effect.gen(function* () {
      const answers: Array<Effect.Effect<number, Unavailable>> = [
        Effect.fail(new Unavailable({ reason: "away" })),
        Effect.die(new Error("stumbled"))
      ]
      let looks = 0
      const look = Effect.suspend(() => answers[looks++] ?? Effect.succeed(0))
      const instalments = Layer.succeed(DueInstalments, DueInstalments.of({ look }))
      const works = new DueWorks()
      yield* Layer.build(
        OverdueWorker.layer.pipe(Layer.provide(instalments), Layer.provide(Layer.succeed(DueWork, works)))
      )
      const after = (seconds: number) => Effect.map(TestClock.adjust(Duration.seconds(seconds)), () => looks)
      expect([yield* after(1), yield* after(30), yield* after(30)]).toEqual([1, 2, 3])
      yield* Effect.forEach(works.all, (work) => work.look)
      expect(looks).toBe(4)
    })
  )
})
