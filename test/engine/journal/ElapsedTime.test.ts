import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { elapsed, elapsedMillis } from "../../../engine/journal/ElapsedTime.ts"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { GrowingLead } from "../../../engine/journal/TimeLead.ts"
import { itEffect as it } from "../../lib/Effects.ts"

describe("Elapsed time", () => {
  it("passes with the machine, and not where the clock is set forward", () =>
    Effect.gen(function* () {
      const lead = new GrowingLead(0)
      const clock = steady(yield* Clock.Clock, 0, lead)
      const look = Effect.provideService(elapsedMillis, Clock.Clock, clock)
      const begun = yield* look
      yield* TestClock.adjust(40)
      lead.grow(3_600_000)
      expect([(yield* look) - begun, elapsed(clock) - begun]).toEqual([40, 40])
    }))
})
