import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { dueDate, INTERVALS } from "../../../engine/subscriptions/Period.ts"
import { property } from "../../lib/Property.ts"

const day = (at: number): string => new Date(at).toISOString()
const START = Date.UTC(2026, 0, 31, 9, 30)

describe("dueDate", () => {
  it("keeps to the day of the first period, and to the last day of a shorter month", () => {
    expect([1, 2, 3, 4, 13, 26].map((period) => day(dueDate(START, "month", period)))).toEqual([
      "2026-01-31T09:30:00.000Z",
      "2026-02-28T09:30:00.000Z",
      "2026-03-31T09:30:00.000Z",
      "2026-04-30T09:30:00.000Z",
      "2027-01-31T09:30:00.000Z",
      "2028-02-29T09:30:00.000Z"
    ])
    const leap = Date.UTC(2028, 1, 29)
    expect([2, 5].map((period) => day(dueDate(leap, "year", period)))).toEqual([
      "2029-02-28T00:00:00.000Z",
      "2032-02-29T00:00:00.000Z"
    ])
    expect(day(dueDate(START, "week", 3))).toBe("2026-02-14T09:30:00.000Z")
  })

  it("rises with the period, by the length of one", () => {
    const anyStart = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })
    fc.assert(
      fc.property(anyStart, fc.constantFrom(...INTERVALS), fc.integer({ min: 1, max: 120 }), (start, every, period) => {
        const [one, next] = [dueDate(start, every, period), dueDate(start, every, period + 1)]
        const days = (next - one) / 86_400_000
        expect(dueDate(start, every, 1)).toBe(start)
        if (every === "week") expect(days).toBe(7)
        if (every === "month") expect(days).toBeWithin(28, 32)
        if (every === "year") expect(days).toBeWithin(365, 367)
      }),
      property()
    )
  })
})
