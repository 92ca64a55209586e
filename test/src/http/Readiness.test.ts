import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Readiness } from "../../../src/http/Readiness.ts"
import { itEffect } from "../../lib/Effects.ts"

const checked = <E>(probe: Effect.Effect<void, E>) =>
  Effect.gen(function* () {
    const readiness = yield* Readiness
    const fiber = yield* Effect.forkChild(Effect.result(readiness.check))
    yield* TestClock.adjust("3 seconds")
    return (yield* Fiber.join(fiber))._tag
  }).pipe(Effect.provide(Readiness.layer(probe)))

describe("Readiness", () => {
  itEffect("is that of the services behind, within a bound", () =>
    Effect.gen(function* () {
      expect(yield* checked(Effect.void)).toBe("Success")
      expect(yield* checked(Effect.fail("away"))).toBe("Failure")
      expect(yield* checked(Effect.die("broken"))).toBe("Failure")
      expect(yield* checked(Effect.never)).toBe("Failure")
    })
  )

  itEffect("ends with the drain", () =>
    Effect.gen(function* () {
      const readiness = yield* Readiness
      yield* readiness.check
      yield* readiness.drain
      expect((yield* Effect.flip(readiness.check)).message).toBe("The server is shutting down.")
    }).pipe(Effect.provide(Readiness.layer(Effect.void)))
  )
})
