import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import fc from "fast-check"
import { UtcDay } from "../../../src/api/UtcDay.ts"
import { property } from "../../lib/Property.ts"

describe("UtcDay", () => {
  it("is the day in UTC", () => {
    expect(Schema.decodeUnknownSync(UtcDay)("1970-01-01")).toBe(0)
    expect(Schema.decodeUnknownSync(UtcDay)("2026-01-31")).toBe(20_484)
  })

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_932_896 }), (day) => {
        expect(Schema.decodeUnknownSync(UtcDay)(Schema.encodeSync(UtcDay)(day))).toBe(day)
      }),
      property()
    )
  })

  it("refuses any other form, and days that no calendar has", () => {
    const wrong = ["2026-02-30", "2025-02-29", "2026-13-01", "2026-1-1", "1969-12-31", "2026-01-31T00:00:00Z", "", 1]
    for (const text of wrong)
      expect([text, Option.isNone(Schema.decodeUnknownOption(UtcDay)(text))]).toEqual([text, true])
  })
})
