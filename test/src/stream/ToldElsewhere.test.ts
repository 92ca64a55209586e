import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { arrivalOf, type BehindOthers } from "../../../src/stream/ToldElsewhere.ts"
import { itEffect } from "../../lib/Effects.ts"

/** What becomes of event 5 after a while, where the source is at event 3 and the log says so much of its end. */
const becomes = Effect.fnUntraced(function* (end: BehindOthers["end"], position = () => 3) {
  const arrival = yield* Effect.forkChild(arrivalOf(5, { end, position }))
  yield* TestClock.adjust("10 seconds")
  return yield* Fiber.join(arrival)
})

describe("arrivalOf", () => {
  itEffect("is here once it came", () =>
    Effect.gen(function* () {
      let at = 3
      const arrival = yield* Effect.forkChild(arrivalOf(5, { end: Effect.succeed(9), position: () => at }))
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

  itEffect("is nowhere where the log ends before it", () =>
    Effect.gen(function* () {
      expect(yield* becomes(Effect.succeed(4))).toBe("nowhere")
    })
  )
})
