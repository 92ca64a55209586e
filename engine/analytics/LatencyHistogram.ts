/** A histogram of latencies in log-linear buckets, exact to 1/32. */

/**
 * Log-linear buckets for times in whole microseconds, as HdrHistogram has them (hdrhistogram.org): below 16 µs one for
 * each, then each power of two is cut into 16 buckets of one width.
 */
const SUB_BUCKETS = 16
const SUB_BITS = 4

/** The largest power of two that has buckets of its own: 2²⁶ µs. */
const MAX_EXPONENT = 26

/** Buckets in all. Times above 134 s count in the last. */
export const BUCKETS = (MAX_EXPONENT - SUB_BITS + 2) * SUB_BUCKETS

/** The farthest that {@link valueOf} is from any time in its bucket, as a part of that time: 1/32. */
export const RELATIVE_ERROR = 1 / (2 * SUB_BUCKETS)

const MAX_MICROS = 2 ** (MAX_EXPONENT + 1) - 1

/** The bucket of a time in microseconds. */
export const bucketOf = (micros: number): number => {
  const whole = micros >= MAX_MICROS ? MAX_MICROS : micros > 0 ? Math.floor(micros) : 0
  if (whole < SUB_BUCKETS) return whole
  const shift = 31 - Math.clz32(whole) - SUB_BITS
  return (shift + 1) * SUB_BUCKETS + (whole >>> shift) - SUB_BUCKETS
}

/** The time in microseconds that stands for a bucket: the middle of the whole ones in it. */
export const valueOf = (bucket: number): number => {
  if (bucket < SUB_BUCKETS) return bucket
  const shift = Math.floor(bucket / SUB_BUCKETS) - 1
  const lowest = (SUB_BUCKETS + (bucket % SUB_BUCKETS)) * 2 ** shift
  return lowest + (2 ** shift - 1) / 2
}

/** The sum of two histograms, each without the zeros at its end. */
export const merged = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): ReadonlyArray<number> => {
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one]
  return longer.map((count, bucket) => count + (shorter[bucket] ?? 0))
}

/**
 * Percentiles by nearest rank (the smallest time that at least `percent` of all do not exceed), in microseconds, each
 * off by {@link RELATIVE_ERROR} at most. Undefined where nothing was counted. `percents` must ascend.
 */
export const percentiles = (
  counts: ReadonlyArray<number>,
  percents: ReadonlyArray<number>
): ReadonlyArray<number> | undefined => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let bucket = 0
  let seen = counts[0] ?? 0
  return percents.map((percent) => {
    const rank = Math.max(1, Math.ceil((total * percent) / 100))
    while (seen < rank && bucket < counts.length - 1) seen += counts[++bucket] ?? 0
    return valueOf(bucket)
  })
}
