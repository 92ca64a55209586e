import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  attempted,
  created,
  type DeliveryState,
  held,
  isSuccess,
  resumed,
  retried
} from "../../../engine/webhooks/Delivery.ts"
import { ATTEMPT_DELAYS, MAX_ATTEMPTS } from "../../../engine/webhooks/DeliverySchedule.ts"
import { property } from "../../lib/Property.ts"

const answer = (status: number | null, at: number) => ({ startedAt: at, endedAt: at + 100, status })

const statuses = fc.option(fc.integer({ min: 100, max: 599 }))

describe("a delivery", () => {
  it("is attempted 0, 5, 25, 120 and 600 s after the attempt before, then failed", () => {
    let state = created(1_000)
    let ended = 1_000
    for (const delay of ATTEMPT_DELAYS) {
      expect(state).toMatchObject({ status: "pending", dueAt: ended + delay })
      const outcome = answer(500, state.dueAt ?? 0)
      ended = outcome.endedAt
      state = attempted(state, outcome)
    }
    expect(state).toEqual({ status: "failed", attempts: MAX_ATTEMPTS, dueAt: null })
  })

  it("succeeds with a 2xx alone", () => {
    fc.assert(
      fc.property(statuses, (status) => {
        const isTwo = status !== null && Math.floor(status / 100) === 2
        expect(isSuccess(answer(status, 0))).toBe(isTwo)
        expect(attempted(created(0), answer(status, 0)).status).toBe(isTwo ? "delivered" : "pending")
      }),
      property()
    )
  })

  it("has an attempt due exactly while it is pending, and at most five in a round", () => {
    const steps = fc.array(
      fc.oneof(
        statuses.map((status) => ({ status })),
        fc.constantFrom("hold" as const, "resume" as const, "retry" as const)
      ),
      { maxLength: 40, size: "max" }
    )
    fc.assert(
      fc.property(steps, (list) => {
        let state = created(0)
        let now = 0
        for (const step of list) {
          now += 1_000_000
          const before: DeliveryState = state
          if (step === "hold") state = held(state)
          else if (step === "resume") state = resumed(state, now)
          else if (step === "retry") state = Result.getOrElse(retried(state, now), () => state)
          else if (state.status === "pending") state = attempted(state, answer(step.status, now))
          expect(state.dueAt !== null).toBe(state.status === "pending")
          expect(state.attempts <= MAX_ATTEMPTS).toBe(true)
          if (before.status === "delivered") expect(state).toEqual(before)
          if (step === "hold" || step === "resume") expect(state.attempts).toBe(before.attempts)
        }
      }),
      property()
    )
  })

  it("is retried by hand only after it failed", () => {
    expect(Result.isFailure(retried(created(0), 1))).toBe(true)
    const failed: DeliveryState = { status: "failed", attempts: MAX_ATTEMPTS, dueAt: null }
    expect(Result.getOrThrow(retried(failed, 7))).toEqual(created(7))
  })

  it("is not attempted when none is due", () => {
    expect(() => attempted(held(created(0)), answer(200, 0))).toThrow(RangeError)
  })
})
