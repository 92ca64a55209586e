import { describe, expect, it } from "bun:test"
import type { DeliveryStatus } from "../../../engine/webhooks/Delivery.ts"
import { failureOf } from "../../../src/webhooks/DeliveryFailure.ts"

const told = (state: DeliveryStatus, status?: number | null, error: string | null = null): string | null =>
  failureOf({
    state: { status: state, attempts: 1, dueAt: null },
    last: status === undefined ? null : { startedAt: 0, durationMs: 1, status, error }
  })

describe("Why a delivery failed", () => {
  it("is nothing where it arrived, or was not tried", () => {
    expect(told("delivered", 200)).toBeNull()
    expect(told("pending")).toBeNull()
  })

  it("is what was answered, or why nothing was", () => {
    expect(told("pending", 404)).toBe(
      "The endpoint answered 404; only a 2xx answer within 5 seconds counts as delivered."
    )
    expect(told("pending", 302)).toBe(
      "The endpoint answered 302, a redirect, which is not followed: set the webhook to the address behind it."
    )
    expect(told("pending", null, "no answer within 5 s")).toBe("The endpoint gave no answer: no answer within 5 s.")
    expect(told("failed", null, "the name does not resolve")).toBe(
      "The endpoint gave no answer: the name does not resolve. It was tried 5 times: retry it by hand."
    )
  })

  it("is the quota where it is held, whatever came before", () => {
    expect(told("held")).toContain("used up for this day (UTC)")
    expect(told("held", 500)).toContain("used up for this day (UTC)")
  })
})
