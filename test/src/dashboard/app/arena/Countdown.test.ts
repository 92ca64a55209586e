import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { isUrgent, phaseOf, spokenRest } from "../../../../../src/dashboard/app/arena/Countdown.ts"
import { property } from "../../../../lib/Property.ts"

const times = { openedAt: 1_000_000, expiryAt: 1_090_000, settlementAt: 1_150_000 }

describe("phaseOf", () => {
  it("waits for the expiry, the choice and the settlement", () => {
    expect(phaseOf("open", times, 1_045_000)).toMatchObject({ name: "committing", until: times.expiryAt, passed: 0.5 })
    expect(phaseOf("competing", times, 1_089_999).name).toBe("committing")
    expect(phaseOf("competing", times, 1_090_000)).toMatchObject({ name: "choosing", until: undefined })
    expect(phaseOf("settling", times, 1_120_000)).toMatchObject({
      name: "settling",
      until: times.settlementAt,
      passed: 0.5
    })
    expect(phaseOf("settled", times, 1_120_000)).toMatchObject({ name: "settled", passed: 1 })
  })

  it("passes from 0 to 1, never back, whatever the clock says", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("open", "settling", "settled"),
        fc.nat(400_000),
        fc.nat(9_000),
        (status, from, on) => {
          const [before, after] = [from, from + on].map((now) => phaseOf(status, times, 900_000 + now))
          expect(before!.passed).toBeWithin(0, 1.000_001)
          if (before!.name === after!.name) expect(after!.passed).toBeGreaterThanOrEqual(before!.passed)
        }
      ),
      property()
    )
  })

  it("is urgent only while one can still commit", () => {
    const urgent = (status: string, now: number) => isUrgent(phaseOf(status, times, now), now)
    expect([urgent("open", 1_074_999), urgent("open", 1_075_000), urgent("settling", 1_149_000)]).toEqual([
      false,
      true,
      false
    ])
  })
})

describe("spokenRest", () => {
  it("changes seldom enough to be said", () => {
    expect([41_000, 49_000, 60_000, 95_000].map(spokenRest)).toEqual([
      "50 seconds",
      "50 seconds",
      "1 minute",
      "2 minutes"
    ])
  })
})
