import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import fc from "fast-check"
import { LocalTimestamp, UtcTimestamp } from "../../../src/api/Timestamp.ts"
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

  it("refuses any other form", () => {
    for (const text of [
      "2026-01-31",
      "2026-01-31T12:00:00",
      "2026-13-31T12:00:00Z",
      "2026-01-31T12:00:00+01:00",
      "",
      1
    ]) {
      expect(Option.isNone(Schema.decodeUnknownOption(UtcTimestamp)(text))).toBe(true)
    }
    expect(Option.isNone(Schema.decodeUnknownOption(LocalTimestamp)("2026-01-31T12:00:00Z"))).toBe(true)
  })
})
