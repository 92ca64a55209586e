import { describe, expect, it } from "bun:test"
import { Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { untilDone } from "../../src/UntilDone.ts"

const PAUSE = Duration.seconds(3)

/** Fails, dies, and then succeeds. */
const makeWork = () => {
  const state = { tries: 0 }
  const work = Effect.suspend((): Effect.Effect<string, string> => {
    state.tries += 1
    if (state.tries === 1) return Effect.fail("not yet")
    return state.tries === 2 ? Effect.die(new Error("a fault")) : Effect.succeed("done")
  })
  return { state, work }
}

describe("untilDone", () => {
  it("begins anew after each failure and defect, a pause later and not before", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { state, work } = makeWork()
        const running = yield* Effect.forkChild(untilDone(work, "It waits", PAUSE), { startImmediately: true })
        expect(state.tries).toBe(1)
        yield* TestClock.adjust(Duration.millis(2_999))
        expect(state.tries).toBe(1)
        yield* TestClock.adjust(Duration.millis(1))
        expect(state.tries).toBe(2)
        yield* TestClock.adjust(PAUSE)
        expect(yield* Fiber.join(running)).toBe("done")
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("ends when it is interrupted", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(untilDone(Effect.never, "It waits", PAUSE), { startImmediately: true })
        yield* Fiber.interrupt(running)
        expect(Exit.hasInterrupts(yield* Fiber.await(running))).toBe(true)
      })
    ))
})
