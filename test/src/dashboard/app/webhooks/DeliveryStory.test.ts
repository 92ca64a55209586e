import { describe, expect, it } from "bun:test"
import { deliveryStory, rounds, until } from "../../../../../src/dashboard/app/webhooks/DeliveryStory.ts"

describe("What became of a delivery", () => {
  it("says what happens next", () => {
    expect(deliveryStory({ status: "pending", attempts: 0, dueAt: null }, 0)).toBe("Attempt 1 of 5 is next.")
    expect(deliveryStory({ status: "pending", attempts: 2, dueAt: 25_000 }, 0)).toBe(
      "Failed twice. Attempt 3 of 5 in 25 s."
    )
    expect(deliveryStory({ status: "delivered", attempts: 1, dueAt: null }, 0)).toBe("Delivered at the first attempt.")
    expect(deliveryStory({ status: "delivered", attempts: 4, dueAt: null }, 0)).toBe("Delivered at attempt 4.")
    expect(deliveryStory({ status: "failed", attempts: 5, dueAt: null }, 0)).toContain("Failed 5 times.")
    expect(deliveryStory({ status: "held", attempts: 0, dueAt: null }, 0)).toContain("used up")
  })

  it("counts down in seconds, minutes and hours", () => {
    expect([-5, 0, 1, 89_000, 90_000, 600_000, 7_200_000].map(until)).toEqual([
      "now",
      "now",
      "in 1 s",
      "in 89 s",
      "in 2 min",
      "in 10 min",
      "in 2 h"
    ])
  })

  it("puts the attempts of a round together, the newest round first", () => {
    const made = [
      { round: 1, n: 1 },
      { round: 2, n: 1 },
      { round: 1, n: 2 }
    ]
    expect(rounds(made)).toEqual([
      { round: 2, attempts: [{ round: 2, n: 1 }] },
      {
        round: 1,
        attempts: [
          { round: 1, n: 1 },
          { round: 1, n: 2 }
        ]
      }
    ])
    expect(rounds([])).toEqual([])
  })
})
