import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { GRACE, Reconnections, UNHEARD } from "../../../src/bots/Reconnections.ts"
import { itEffect as it } from "../../lib/Effects.ts"

const CALLER = "client:cli_1"

describe("A caller whose connection was lost with its node", () => {
  it("is back once it connects again in time, and one connection makes up for one", () =>
    Effect.gen(function* () {
      const callers = new Reconnections()
      const [first, second] = [callers.arm(CALLER, 0), callers.arm(CALLER, 0)]
      const lost = yield* Effect.forEach([first, second], (one) => Effect.forkChild(callers.isBack(one, 60_000)))
      yield* TestClock.adjust(GRACE - 1)
      callers.arm(CALLER, 64_999)
      callers.arm("client:cli_2", 64_999)
      yield* TestClock.adjust(1)
      expect(yield* Effect.forEach(lost, Fiber.join)).toEqual([true, false])
    }))

  it("is back already where it connected before the loss was known, but not by what is older", () =>
    Effect.gen(function* () {
      const callers = new Reconnections()
      const [older, first] = [callers.arm(CALLER, 0), callers.arm(CALLER, 10)]
      callers.arm(CALLER, 60_000)
      expect(yield* callers.isBack(first, 60_000 + UNHEARD)).toBe(true)
      const again = yield* Effect.forkChild(callers.isBack(older, 60_000 + UNHEARD))
      yield* TestClock.adjust(GRACE)
      expect(yield* Fiber.join(again)).toBe(false)
    }))

  it("is not back by a connection that has ended, or that was armed long ago", () =>
    Effect.gen(function* () {
      const callers = new Reconnections()
      const [first, second] = [callers.arm(CALLER, 0), callers.arm(CALLER, 0)]
      callers.end(callers.arm(CALLER, 60_000))
      const lost = yield* Effect.forkChild(callers.isBack(first, 60_000))
      yield* TestClock.adjust(GRACE)
      expect(yield* Fiber.join(lost)).toBe(false)
      callers.arm(CALLER, 70_000)
      const late = yield* Effect.forkChild(callers.isBack(second, 70_001 + UNHEARD))
      yield* TestClock.adjust(GRACE)
      expect(yield* Fiber.join(late)).toBe(false)
    }))
})
