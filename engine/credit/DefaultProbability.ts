/** The probability of default of a score: 600 points are odds of 19:1, and 50 points double them. */

import { fromUnits, ONE, powers } from "../money/Power.ts"

/** The scale of scores. */
export const LOWEST_SCORE = 300
export const HIGHEST_SCORE = 850

/** Odds of {@link ANCHOR_ODDS}:1 that a credit is paid back have this score. */
export const ANCHOR_SCORE = 600
export const ANCHOR_ODDS = 19n

/** Points that double the odds. */
export const POINTS_TO_DOUBLE = 50

/** Points outside are counted as these: there the probability is above 0.9999 or below 0.0001. */
const FEWEST_POINTS = -300
const MOST_POINTS = 1_100

const MILLION = 1_000_000n

/** More than the doublings from the fewest points up to the anchor. */
const SHIFT = 20n

/** 1 ÷ (1 + 19·2^((points − 600) ÷ 50)), to the nearest millionth. Whole doublings are shifts, so that few powers are left. */
const computed = (): ReadonlyArray<number> => {
  const power = powers(fromUnits(2n * ONE))
  const within = Array.from({ length: POINTS_TO_DOUBLE }, (_, points) =>
    power(BigInt(points), BigInt(POINTS_TO_DOUBLE))
  )
  return Array.from({ length: MOST_POINTS - FEWEST_POINTS + 1 }, (_, index) => {
    const above = FEWEST_POINTS + index - ANCHOR_SCORE
    const doublings = Math.floor(above / POINTS_TO_DOUBLE)
    const odds = ANCHOR_ODDS * (within[above - doublings * POINTS_TO_DOUBLE] ?? ONE)
    const one = ONE << SHIFT
    const whole = one + (odds << (SHIFT + BigInt(doublings)))
    return Number((MILLION * one + whole / 2n) / whole)
  })
}

const BY_POINTS = computed()

/** Limits points to the scale. */
export const onScale = (points: number): number => Math.min(HIGHEST_SCORE, Math.max(LOWEST_SCORE, points))

/**
 * The probability that a credit is not paid back, in millionths: 50,000 at 600 points.
 *
 * `points` are whole and not limited to the scale of scores: the lowest score stands for all that is below it, but not
 * all that is below it has one probability. Dies by `RangeError` for a fraction.
 */
export const defaultProbability = (points: number): number => {
  const found = BY_POINTS[Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, points)) - FEWEST_POINTS]
  if (found === undefined) throw new RangeError("points are whole")
  return found
}
