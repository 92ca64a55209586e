import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../src/database/DatabaseError.ts"
import * as Worker from "../../src/Worker.ts"
import { itEffect } from "../lib/Effects.ts"

describe("work in the background", () => {
  itEffect("is done now and after each pause, and goes on after a failure and a defect", () =>
    Effect.gen(function* () {
      let rounds = 0
      const work = Effect.suspend((): Effect.Effect<void, Unavailable> => {
        rounds += 1
        if (rounds === 1) return Effect.fail(new Unavailable({ reason: "away" }))
        return rounds === 2 ? Effect.die("unexpected") : Effect.void
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Worker.every(1_000, "Work", work)
          yield* Effect.yieldNow
          expect(rounds).toBe(1)
          yield* TestClock.adjust(999)
          expect(rounds).toBe(1)
          yield* TestClock.adjust(2_001)
          expect(rounds).toBe(4)
        })
      )
      yield* TestClock.adjust(10_000)
      expect(rounds).toBe(4)
    })
  )

  itEffect("prunes batch after batch until one is not full", () =>
    Effect.gen(function* () {
      const left = [10, 10, 3, 0]
      const times: Array<number> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Worker.pruning("Rows", 10, (now) =>
            Effect.sync(() => {
              times.push(now)
              return left.shift() ?? 0
            })
          )
          yield* TestClock.adjust(600_000)
        })
      )
      expect(times).toEqual([0, 0, 0, 600_000])
    })
  )
})
