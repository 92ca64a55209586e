import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import fc from "fast-check"
import { LocalTimestamp, momentOf, UtcTimestamp } from "../../../src/api/Timestamp.ts"
import { property } from "../../lib/Property.ts"

const time = 1_769_860_800_123

describe("Timestamp", () => {
  it("has a Z or no zone at all", () => {
    expect(Schema.encodeSync(UtcTimestamp)(time)).toBe("2026-01-31T12:00:00.123Z")
    expect(Schema.encodeSync(LocalTimestamp)(time)).toBe("2026-01-31T12:00:00.123")
  })

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (at) => {
        for (const schema of [UtcTimestamp, LocalTimestamp]) {
          expect(Schema.decodeUnknownSync(schema)(Schema.encodeSync(schema)(at))).toBe(at)
        }
      }),
      property()
    )
  })

  it("reads the leap day of a leap year, and a time without or with fewer decimals", () => {
    const read = Schema.decodeUnknownSync(UtcTimestamp)
    expect(read("2028-02-29T12:00:00Z")).toBe(Date.UTC(2028, 1, 29, 12))
    expect(read("2026-01-31T12:00:00.1Z")).toBe(Date.UTC(2026, 0, 31, 12, 0, 0, 100))
    expect(momentOf("2026-01-31T12:00Z")).toBe(Date.UTC(2026, 0, 31, 12))
  })

  it("refuses any other form", () => {
    for (const text of [
      "2026-01-31",
      "2026-01-31T12:00:00",
      "2026-13-31T12:00:00Z",
      "2026-02-30T12:00:00Z",
      "2026-02-29T12:00:00.000Z",
      "2026-04-31T12:00:00Z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T23:59:60Z",
      "2026-01-31T12:00:00+01:00",
      "",
      1
    ]) {
      expect(Option.isNone(Schema.decodeUnknownOption(UtcTimestamp)(text))).toBe(true)
    }
    expect(Option.isNone(Schema.decodeUnknownOption(LocalTimestamp)("2026-01-31T12:00:00Z"))).toBe(true)
  })
})
