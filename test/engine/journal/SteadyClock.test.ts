import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { Clock } from "effect"
import fc from "fast-check"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { runs } from "../../lib/Property.ts"

const clockOf = (now: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  sleep: () => Effect.never
})

describe("a steady clock", () => {
  it("says the greatest time so far, however the clock steps", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.array(fc.nat(100)), (floor, times) => {
        let at = 0
        const clock = steady(
          clockOf(() => times[at] ?? 0),
          floor
        )
        let most = floor
        for (; at < times.length; at++) {
          most = Math.max(most, times[at] ?? 0)
          expect(clock.currentTimeMillisUnsafe()).toBe(most)
        }
      }),
      { numRuns: runs() }
    )
  })
})
