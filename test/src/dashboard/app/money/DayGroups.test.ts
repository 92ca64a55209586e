import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { dayGroups } from "../../../../../src/dashboard/app/money/DayGroups.ts"
import { runs } from "../../../../lib/Property.ts"

const at = (time: number) => time

describe("Entries by day", () => {
  it("begins a day at midnight UTC", () => {
    const midnight = Date.UTC(2026, 10, 22)
    expect(dayGroups([midnight, midnight - 1, midnight - 2], at)).toEqual([
      { day: "2026-11-22", entries: [midnight] },
      { day: "2026-11-21", entries: [midnight - 1, midnight - 2] }
    ])
  })

  it("loses nothing, and keeps the sequence", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 })), (times) => {
        const groups = dayGroups(times, at)
        expect(groups.flatMap(({ entries }) => entries)).toEqual(times)
        for (const { day, entries } of groups) {
          for (const time of entries) expect(new Date(time).toISOString().startsWith(day)).toBe(true)
        }
        for (const [index, { day }] of groups.entries()) expect(groups[index + 1]?.day).not.toBe(day)
      }),
      { numRuns: runs() }
    )
  })
})
