import { describe, expect } from "bun:test"
import { Effect, Result } from "effect"
import { StaleVersion } from "../../../engine/actor/Journal.ts"
import { MAX_ATTEMPTS, retryStale } from "../../../engine/actor/StaleRetry.ts"
import { itEffect } from "../../lib/Effects.ts"

const stale = (stream: string) => new StaleVersion({ stream, expected: 0, actual: 1 })

/** Others come first so many times. */
const overtaken = (times: number, stream = "one") => {
  const tries = { count: 0 }
  const attempt = Effect.suspend(() => {
    tries.count += 1
    return tries.count <= times ? Effect.fail(stale(stream)) : Effect.succeed("written")
  })
  return { attempt, tries }
}

describe("retryStale", () => {
  itEffect("decides anew as often as it may, and then says who was first", () =>
    Effect.gen(function* () {
      const last = overtaken(MAX_ATTEMPTS - 1)
      expect(yield* retryStale(last.attempt)).toBe("written")
      const never = overtaken(MAX_ATTEMPTS)
      expect(yield* Effect.flip(retryStale(never.attempt))).toEqual(stale("one"))
      expect(never.tries.count).toBe(MAX_ATTEMPTS)
    })
  )

  itEffect("leaves another stream's version to whoever asks, and any other failure", () =>
    Effect.gen(function* () {
      const other = overtaken(1, "other")
      expect(yield* Effect.flip(retryStale(other.attempt, "one"))).toEqual(stale("other"))
      expect(other.tries.count).toBe(1)
      expect(yield* retryStale(overtaken(1).attempt, "one")).toBe("written")
      expect(Result.isFailure(yield* Effect.result(retryStale(Effect.fail("no"))))).toBe(true)
    })
  )
})
