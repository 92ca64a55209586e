import { describe, expect } from "bun:test"
import { Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../src/database/DatabaseError.ts"
import { DueWork, DueWorks } from "../../src/DueWork.ts"
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

  itEffect("is done at a step as well where it is due at its time, never twice at once, and no more at its end", () =>
    Effect.gen(function* () {
      const works = new DueWorks()
      const seen: Array<string> = []
      const slow = (name: string) =>
        Effect.sync(() => void seen.push(`begin ${name}`)).pipe(
          Effect.andThen(Effect.sleep(1_000)),
          Effect.andThen(Effect.sync(() => void seen.push(`end ${name}`)))
        )
      const scope = yield* Scope.make()
      yield* Worker.due("1 minute", "Work", slow("work"), { step: slow("step") }).pipe(
        Scope.provide(scope),
        Effect.provideService(DueWork, works)
      )
      yield* TestClock.adjust(500)
      const [due] = works.all
      expect([due?.name, works.all.length, seen]).toEqual(["Work", 1, ["begin work"]])
      yield* Effect.forkChild(due?.look ?? Effect.die("none"))
      yield* TestClock.adjust(2_000)
      expect(seen).toEqual(["begin work", "end work", "begin step", "end step"])
      works.isLed = true
      yield* TestClock.adjust(120_000)
      expect(seen).toHaveLength(4)
      works.isLed = false
      yield* TestClock.adjust(60_000)
      expect(seen.slice(4)).toEqual(["begin work", "end work"])
      yield* Scope.close(scope, Exit.void)
      expect(works.all).toEqual([])
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
