import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { CommitTimes } from "../../../src/database/CommitTimes.ts"
import { property } from "../../lib/Property.ts"

/** Groups by their lengths, and up to which of them the tables have all. */
const groups = fc.record({
  lengths: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 40 }),
  projected: fc.nat({ max: 40 })
})

describe("CommitTimes", () => {
  it("gives each event the times of its own group, and of no other", () => {
    fc.assert(
      fc.property(groups, ({ lengths, projected }) => {
        const times = new CommitTimes()
        const expected: Array<readonly [number, number]> = []
        let seq = 0
        for (const [index, length] of lengths.entries()) {
          times.sent(seq + 1, seq + length, BigInt(index))
          for (let more = 0; more < length; more++) expected.push([seq + 1 + more, index])
          seq += length
        }
        const upTo = lengths.slice(0, projected).reduce((sum, length) => sum + length, 0)
        times.projected(0, upTo, 1_000n)
        for (const [one, index] of expected) {
          const isProjected = one <= upTo
          expect(times.of(one)).toMatchObject({ sentAt: BigInt(index) })
          expect(times.of(one)?.projectedAt).toBe(isProjected ? 1_000n : undefined)
        }
        expect([times.of(0), times.of(seq + 1)]).toEqual([undefined, undefined])
      }),
      property()
    )
  })

  it("forgets what was sent and not written, when the same place is sent again", () => {
    const times = new CommitTimes()
    times.sent(1, 2, 1n)
    times.sent(3, 5, 2n)
    times.sent(3, 3, 3n)
    expect([times.of(2)?.sentAt, times.of(3)?.sentAt, times.of(4)]).toEqual([1n, 3n, undefined])
  })

  it("remembers the last groups, and not all", () => {
    const times = new CommitTimes()
    for (let seq = 1; seq <= 20_000; seq++) times.sent(seq, seq, BigInt(seq))
    expect(times.of(20_000)?.sentAt).toBe(20_000n)
    expect(times.of(20_000 - 4_096)?.sentAt).toBe(20_000n - 4_096n)
    expect(times.of(10_000)).toBeUndefined()
  })
})
