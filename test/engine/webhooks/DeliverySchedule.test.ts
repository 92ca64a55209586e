import { expect, it } from "bun:test"
import { ATTEMPT_DELAYS, MAX_ATTEMPTS, nextAttemptAt } from "../../../engine/webhooks/DeliverySchedule.ts"

it("the schedule of attempts is the specification's", () => {
  expect(ATTEMPT_DELAYS).toEqual([0, 5_000, 25_000, 120_000, 600_000])
  expect(MAX_ATTEMPTS).toBe(5)
  expect([0, 1, 2, 3, 4, 5].map((attempts) => nextAttemptAt(attempts, 1_000))).toEqual([
    1_000,
    6_000,
    26_000,
    121_000,
    601_000,
    undefined
  ])
})
