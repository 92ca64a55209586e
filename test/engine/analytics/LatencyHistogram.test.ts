import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  bucketOf,
  BUCKETS,
  merged,
  percentiles,
  RELATIVE_ERROR,
  valueOf
} from "../../../engine/analytics/LatencyHistogram.ts"
import { runs } from "../../lib/Property.ts"

/** From a microsecond to two minutes, as often of each size. */
const micros = fc
  .tuple(fc.nat(26), fc.nat(999))
  .map(([exponent, part]) => Math.floor(2 ** exponent * (1 + part / 1000)))

const counted = (times: ReadonlyArray<number>): ReadonlyArray<number> => {
  const counts: Array<number> = []
  for (const time of times) {
    const bucket = bucketOf(time)
    while (counts.length <= bucket) counts.push(0)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

const exact = (times: ReadonlyArray<number>, percent: number): number => {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.max(1, Math.ceil((sorted.length * percent) / 100)) - 1] ?? Number.NaN
}

const isNear = (found: number | undefined, real: number): boolean =>
  found !== undefined && Math.abs(found - real) <= real * RELATIVE_ERROR

const PERCENTS = [0, 1, 50, 95, 99, 100]

describe("bucketOf", () => {
  it("keeps the order of times, and each near what stands for it", () => {
    fc.assert(
      fc.property(micros, micros, (one, other) => {
        expect(isNear(valueOf(bucketOf(one)), one)).toBe(true)
        if (one <= other) expect(bucketOf(one)).toBeLessThanOrEqual(bucketOf(other))
      }),
      { numRuns: runs() * 10 }
    )
  })

  it("puts what stands for a bucket into it, in every bucket", () => {
    for (let bucket = 0; bucket < BUCKETS; bucket++) expect(bucketOf(valueOf(bucket))).toBe(bucket)
  })

  it("takes whatever is no time for the nearest one", () => {
    expect([-1, 0, 0.5, Number.NaN].map(bucketOf)).toEqual([0, 0, 0, 0])
    expect([2 ** 27 - 1, 2 ** 40, Infinity].map(bucketOf)).toEqual([BUCKETS - 1, BUCKETS - 1, BUCKETS - 1])
  })
})

describe("percentiles", () => {
  it("are near the exact ones", () => {
    fc.assert(
      fc.property(fc.array(micros, { minLength: 1, maxLength: 300 }), (times) => {
        const found = percentiles(counted(times), PERCENTS) ?? []
        for (const [index, percent] of PERCENTS.entries()) {
          expect([percent, isNear(found[index], exact(times, percent))]).toEqual([percent, true])
        }
      }),
      { numRuns: runs() }
    )
  })

  it("of merged histograms are those of all times together", () => {
    fc.assert(
      fc.property(fc.array(micros), fc.array(micros), (one, other) => {
        expect(merged(counted(one), counted(other))).toEqual(counted([...one, ...other]))
      }),
      { numRuns: runs() }
    )
  })

  it("of nothing are none", () => {
    expect(percentiles([], [50])).toBeUndefined()
    expect(percentiles([0, 0], [50])).toBeUndefined()
  })
})
