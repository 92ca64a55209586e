import { describe, expect } from "bun:test"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { steady } from "../../../engine/journal/SteadyClock.ts"
import { GrowingLead, machineTime, sleepUntil, TimeLead } from "../../../engine/journal/TimeLead.ts"
import { itEffect, wait } from "../../lib/Effects.ts"

/** A clock with a lead that the test lets grow. */
const led = <A, E>(body: (lead: GrowingLead) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const lead = new GrowingLead(0)
    const clock = steady(yield* Clock.Clock, 0, lead)
    return yield* body(lead).pipe(Effect.provideService(Clock.Clock, clock), Effect.provideService(TimeLead, lead))
  })

describe("TimeLead", () => {
  itEffect("is ahead of the machine's time, and never falls", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(1_000)
      yield* led((lead) =>
        Effect.gen(function* () {
          lead.grow(500)
          lead.grow(200)
          expect([yield* Clock.currentTimeMillis, yield* machineTime]).toEqual([1_500, 1_000])
        })
      )
      expect(yield* machineTime).toBe(1_000)
    })
  )

  itEffect("wakes who sleeps until a time that is over at once, and lets the others sleep for what is left", () =>
    Effect.gen(function* () {
      const woken: Array<number> = []
      const lead = new GrowingLead(0)
      const clock = steady(yield* Clock.Clock, 0, lead)
      const sleeper = (at: number) =>
        Effect.map(sleepUntil(at), () => void woken.push(at)).pipe(
          Effect.provideService(Clock.Clock, clock),
          Effect.provideService(TimeLead, lead),
          Effect.forkScoped
        )
      for (const at of [1_000, 5_000, 9_000]) yield* sleeper(at)
      yield* wait(5)
      lead.grow(4_000)
      yield* wait(20)
      expect(woken).toEqual([1_000])
      yield* TestClock.adjust(999)
      expect(woken).toEqual([1_000])
      yield* TestClock.adjust(1)
      expect(woken).toEqual([1_000, 5_000])
      lead.grow(8_000)
      yield* wait(20)
      expect(woken).toEqual([1_000, 5_000, 9_000])
      yield* sleeper(2_000)
      yield* wait(5)
      expect(woken).toEqual([1_000, 5_000, 9_000, 2_000])
    })
  )

  itEffect("is nothing where no clock was set: who sleeps, sleeps", () =>
    Effect.gen(function* () {
      const sleeping = yield* Effect.forkChild(sleepUntil(2_000))
      yield* TestClock.adjust(1_999)
      expect(sleeping.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(sleeping)
      yield* sleepUntil(1)
    })
  )
})
