import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { DAILY_DELIVERIES, dayOf, nextDayAt, roomOf } from "../../../engine/webhooks/DeliveryQuota.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000

describe("the daily quota", () => {
  it("is that of the plan", () => {
    expect(DAILY_DELIVERIES).toEqual({ standard: 10_000, pro: 100_000, enterprise: Number.POSITIVE_INFINITY })
  })

  it("has room for what the plan leaves, and never less than nothing", () => {
    fc.assert(
      fc.property(fc.nat(300_000), (begun) => {
        expect(roomOf("standard", begun)).toBe(begun >= 10_000 ? 0 : 10_000 - begun)
        expect(roomOf("pro", begun)).toBe(begun >= 100_000 ? 0 : 100_000 - begun)
        expect(roomOf("enterprise", begun)).toBe(Number.POSITIVE_INFINITY)
      }),
      property()
    )
  })

  it("is that of a UTC day", () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000_000), (at) => {
        expect(new Date(at).toISOString().slice(0, 10)).toBe(new Date(dayOf(at) * DAY).toISOString().slice(0, 10))
        expect(nextDayAt(at)).toBeGreaterThan(at)
        expect(dayOf(nextDayAt(at) - 1)).toBe(dayOf(at))
        expect(dayOf(nextDayAt(at))).toBe(dayOf(at) + 1)
      }),
      property()
    )
  })
})
