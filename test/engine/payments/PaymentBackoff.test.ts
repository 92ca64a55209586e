import { describe, expect, it } from "bun:test"
import {
  DISPUTE_WINDOW,
  FIRST_LOOK,
  FIRST_WAIT,
  LONGEST_AFTER_DECLINE,
  LONGEST_WAIT,
  nextLook,
  SELDOM_AFTER,
  SELDOM_LOOK,
  waitAfter,
  waitAfterDecline
} from "../../../engine/payments/PaymentBackoff.ts"

describe("waitAfter", () => {
  it("doubles from a second to an hour", () => {
    expect([0, 1, 2, 3].map(waitAfter)).toEqual([FIRST_WAIT, FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT])
    expect(waitAfter(100)).toBe(LONGEST_WAIT)
  })
})

describe("waitAfterDecline", () => {
  it("doubles from a second to a day, which it waits from then on", () => {
    expect([1, 2, 3].map(waitAfterDecline)).toEqual([FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT])
    expect(waitAfterDecline(SELDOM_AFTER - 1)).toBeLessThan(LONGEST_AFTER_DECLINE)
    expect([SELDOM_AFTER, 1_000].map(waitAfterDecline)).toEqual([LONGEST_AFTER_DECLINE, LONGEST_AFTER_DECLINE])
  })
})

describe("nextLook", () => {
  it("looks ever more seldom, and not at all once it is too late", () => {
    expect(nextLook(0, 0)).toBe(FIRST_LOOK)
    expect(nextLook(0, 10 * FIRST_LOOK)).toBe(20 * FIRST_LOOK)
    expect(nextLook(0, DISPUTE_WINDOW)).toBe(DISPUTE_WINDOW + SELDOM_LOOK)
    expect(nextLook(0, DISPUTE_WINDOW + 1)).toBeUndefined()
    expect(nextLook(1_000, 0)).toBe(FIRST_LOOK)
  })
})
