import { describe, expect, it } from "bun:test"
import { DISABLED_AFTER, HEALTHY, isToBeDisabled, observed } from "../../../engine/webhooks/EndpointHealth.ts"

const answer = (status: number | null, endedAt: number) => ({ startedAt: endedAt, endedAt, status })

describe("an endpoint's health", () => {
  it("remembers the first failure until a success", () => {
    const failing = observed(observed(HEALTHY, answer(500, 10)), answer(null, 20))
    expect(failing).toEqual({ failingSince: 10 })
    expect(observed(failing, answer(204, 30))).toEqual(HEALTHY)
  })

  it("ends 5 days after the first failure, by the next one", () => {
    const failing = observed(HEALTHY, answer(500, 10))
    expect(isToBeDisabled(failing, answer(500, 10 + DISABLED_AFTER - 1))).toBe(false)
    expect(isToBeDisabled(failing, answer(500, 10 + DISABLED_AFTER))).toBe(true)
    expect(isToBeDisabled(failing, answer(200, 10 + DISABLED_AFTER))).toBe(false)
    expect(isToBeDisabled(HEALTHY, answer(500, DISABLED_AFTER))).toBe(false)
  })
})
