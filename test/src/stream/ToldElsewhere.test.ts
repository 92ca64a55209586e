import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { type BehindOthers, makeArrivals } from "../../../src/stream/ToldElsewhere.ts"
import { itEffect } from "../../lib/Effects.ts"

/** What becomes of event 5 after a while, where the source is at event 3 and the log says so much of its end. */
const becomes = Effect.fnUntraced(function* (end: BehindOthers["end"], position = () => 3) {
  const arrival = yield* Effect.forkChild((yield* makeArrivals({ end, position }))(5))
  yield* TestClock.adjust("10 seconds")
  return yield* Fiber.join(arrival)
})

describe("The arrival of an event", () => {
  itEffect("is here once it came", () =>
    Effect.gen(function* () {
      let at = 3
      const arrival = yield* Effect.forkChild((yield* makeArrivals({ end: Effect.succeed(9), position: () => at }))(5))
      yield* TestClock.adjust("4 seconds")
      expect(arrival.pollUnsafe()).toBeUndefined()
      at = 5
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(arrival)).toBe("here")
    })
  )

  itEffect("is late where the log has it, or cannot say so", () =>
    Effect.gen(function* () {
      expect(yield* becomes(Effect.succeed(5))).toBe("late")
      expect(yield* becomes(Effect.fail(new Unavailable({ reason: "away" })))).toBe("late")
      expect(yield* becomes(Effect.never)).toBe("late")
    })
  )

  itEffect("is looked up once for all who ask at the same time, and anew for those after them", () =>
    Effect.gen(function* () {
      let looks = 0
      const look = Effect.sync(() => (looks += 1))
      const end = Effect.as(Effect.delay(look, "100 millis"), 9)
      const arrivalOf = yield* makeArrivals({ end, position: () => 3 })
      for (const round of [1, 2]) {
        const crowd = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 100 }, () => arrivalOf(5)),
            { concurrency: "unbounded" }
          )
        )
        const gone = yield* Effect.forkChild(arrivalOf(5))
        yield* TestClock.adjust(5_050)
        yield* Fiber.interrupt(gone)
        yield* TestClock.adjust("1 second")
        expect([looks, new Set(yield* Fiber.join(crowd))]).toEqual([round, new Set(["late"])])
      }
    })
  )

  itEffect("does not wait for a look that hangs, which nobody joins later", () =>
    Effect.gen(function* () {
      let looks = 0
      const end = Effect.suspend(() => {
        looks += 1
        return looks === 1 ? Effect.never : Effect.succeed(4)
      })
      const arrivalOf = yield* makeArrivals({ end, position: () => 3 })
      const first = yield* Effect.forkChild(arrivalOf(5))
      yield* TestClock.adjust(900)
      const joining = yield* Effect.forkChild(arrivalOf(5))
      yield* TestClock.adjust(1_000)
      const last = yield* Effect.forkChild(arrivalOf(5))
      yield* TestClock.adjust("10 seconds")
      const became = yield* Effect.forEach([first, joining, last], (arrival) => Fiber.join(arrival))
      expect([looks, became]).toEqual([2, ["late", "late", "nowhere"]])
    })
  )

  itEffect("is nowhere where the log ends before it", () =>
    Effect.gen(function* () {
      expect(yield* becomes(Effect.succeed(4))).toBe("nowhere")
    })
  )
})
