import { describe, expect } from "bun:test"
import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { LOOK_MILLIS, lateRefusal, MessageDeadlines } from "../../../src/rpc/MessageDeadlines.ts"
import { itEffect } from "../../lib/Effects.ts"

const LIMIT = 8_000

const make = Effect.map(Clock.Clock, (clock) => new MessageDeadlines(LIMIT, clock))

/** What became of a message by now. */
const known = <A, E>(fiber: Fiber.Fiber<A, E>) => fiber.pollUnsafe()

describe("the deadline of a message", () => {
  itEffect("leaves an answer, a failure and a defect as they are", () =>
    Effect.gen(function* () {
      const deadlines = yield* make
      const later = Effect.delay(Effect.succeed("later"), LIMIT - 1)
      const asked = yield* Effect.forkChild(deadlines.within(later, () => "late"))
      expect(yield* deadlines.within(Effect.succeed("at once"), () => "late")).toBe("at once")
      expect(yield* Effect.flip(deadlines.within(Effect.fail("failed"), () => "late"))).toBe("failed")
      expect(yield* Effect.exit(deadlines.within(Effect.die("broken"), () => "late"))).toEqual(Exit.die("broken"))
      yield* TestClock.adjust(LIMIT - 1)
      deadlines.look()
      expect(yield* Fiber.join(asked)).toBe("later")
    })
  )

  itEffect("passes for each by itself, and what was begun goes on", () =>
    Effect.gen(function* () {
      const deadlines = yield* make
      const done: Array<string> = []
      const work = (name: string) =>
        Effect.uninterruptible(
          Effect.delay(
            Effect.sync(() => void done.push(name)),
            60_000
          )
        )
      const first = yield* Effect.forkChild(
        deadlines.within(work("first"), () => "late"),
        { startImmediately: true }
      )
      yield* TestClock.adjust(LOOK_MILLIS)
      const second = yield* Effect.forkChild(
        deadlines.within(work("second"), () => "late"),
        { startImmediately: true }
      )
      yield* TestClock.adjust(LIMIT - LOOK_MILLIS - 1)
      deadlines.look()
      expect([known(first), known(second)]).toEqual([undefined, undefined])
      yield* TestClock.adjust(1)
      deadlines.look()
      expect(yield* Effect.flip(Fiber.join(first))).toBe("late")
      expect([known(second), done]).toEqual([undefined, []])
      yield* TestClock.adjust(60_000)
      expect(done).toEqual(["first", "second"])
      expect(yield* Fiber.join(second)).toBeUndefined()
    })
  )

  itEffect("ends with a caller who goes away, which ends what it asked for", () =>
    Effect.gen(function* () {
      const deadlines = yield* make
      const ended = yield* Deferred.make<string>()
      const work = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, "interrupted"))
      const asked = yield* Effect.forkChild(
        deadlines.within(work, () => "late"),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(asked)
      expect(yield* Deferred.await(ended)).toBe("interrupted")
      yield* TestClock.adjust(2 * LIMIT)
      deadlines.look()
    })
  )

  itEffect("says how to go on, by what the message may have done", () =>
    Effect.sync(() => {
      expect(lateRefusal(true).message).not.toContain("unknown")
      expect(lateRefusal(false).message).toContain("is unknown: send it again with the same idempotency_id")
    })
  )
})
