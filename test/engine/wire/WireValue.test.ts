import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { sumOf, Time, timeText, timeTextOrNull } from "../../../engine/wire/WireValue.ts"
import { runs } from "../../lib/Property.ts"

describe("A body's values", () => {
  it("say times in UTC to the millisecond, as their schema takes them", () => {
    const isTime = Schema.is(Time)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (at) => {
        expect(timeText(at)).toBe(new Date(at).toISOString())
        expect(isTime(timeText(at))).toBe(true)
      }),
      { numRuns: runs() }
    )
    expect([timeTextOrNull(null), timeTextOrNull(undefined), timeTextOrNull(0)]).toEqual([
      null,
      null,
      "1970-01-01T00:00:00.000Z"
    ])
  })

  it("add up", () => {
    expect(sumOf([1n, 2n, 3n].map(fromUnits))).toBe(fromUnits(6n))
    expect(sumOf([])).toBe(fromUnits(0n))
  })
})
