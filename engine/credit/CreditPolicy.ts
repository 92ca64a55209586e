/** The bands of scores, with their limits and APR. */

import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import { ceilDivide } from "../money/Rounding.ts"

/** From the best to the worst. */
export const BANDS = ["A", "B", "C", "D", "E"] as const

export type Band = (typeof BANDS)[number]

/** What a band takes and gives. */
interface BandTerms {
  readonly band: Band
  /** The lowest score in it. */
  readonly from: number
  /** The largest limit, in 1/10,000 of a year's income. */
  readonly share: bigint
}

const RATIO_ONE = 10_000n

const TERMS: ReadonlyArray<BandTerms> = [
  { band: "A", from: 650, share: 3_000n },
  { band: "B", from: 600, share: 2_500n },
  { band: "C", from: 550, share: 1_500n },
  { band: "D", from: 500, share: 800n }
]

/** Below every band that is granted anything. */
const REFUSED: BandTerms = { band: "E", from: 0, share: 0n }

/** No application of the training data asked for more, so no more is granted. */
export const LARGEST_LIMIT = fromUnits(35_000n * ONE)

/** Cost of funds and margin, in 1/10,000 a year. */
export const BASE_APR = 600n

/** Share of a defaulted credit that is lost, in 1/10,000. */
export const LOSS_GIVEN_DEFAULT = 6_000n

export const LARGEST_APR = 3_600n

const MILLION = 1_000_000n

const termsOf = (score: number): BandTerms => TERMS.find(({ from }) => score >= from) ?? REFUSED

/** The band of a score. */
export const bandOf = (score: number): Band => termsOf(score).band

const least = (amounts: ReadonlyArray<Amount>): Amount => amounts.reduce((a, b) => (b < a ? b : a))

/**
 * The limit in whole USD: what is asked, at most the band's share of the annual income, at most
 * {@link LARGEST_LIMIT}; 0 in band E. It never falls with the score, the income or what is asked at an equal score.
 *
 * What is asked bounds it because the score was given for that loan, not for a larger one.
 */
export const creditLimit = (score: number, annualIncome: Amount, loanAmt: number): Amount => {
  const { share } = termsOf(score)
  if (share === 0n) return ZERO
  const affordable = fromUnits(((annualIncome * share) / RATIO_ONE / ONE) * ONE)
  return least([fromUnits(BigInt(loanAmt) * ONE), affordable, LARGEST_LIMIT])
}

/**
 * Interest in 1/10,000 a year: {@link BASE_APR} and what pays for expected losses,
 * {@link LOSS_GIVEN_DEFAULT} × p ÷ (1 − p), rounded up; at most {@link LARGEST_APR}. It never falls with the probability.
 *
 * @param probability of default, in millionths
 */
export const annualRate = (probability: number): number => {
  const p = BigInt(probability)
  const losses = p >= MILLION ? LARGEST_APR : ceilDivide(LOSS_GIVEN_DEFAULT * p, MILLION - p)
  const rate = BASE_APR + losses
  return Number(rate < LARGEST_APR ? rate : LARGEST_APR)
}
