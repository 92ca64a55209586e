/** Decides credit requests: how many a day, and the ceiling that a company's users share. */

import { Result } from "effect"
import type { Entry } from "../actor/Journal.ts"
import { type Amount, fromUnits, ZERO } from "../money/Amount.ts"
import { type CreditRequest, type InvalidApplication, readApplication } from "./CreditApplication.ts"
import type { CreditAssessed, CreditLimitSet } from "./CreditEvent.ts"
import type { CreditModel } from "./CreditModel.ts"
import {
  ASSESSMENT_WINDOW,
  assessmentsBefore,
  commandsOf,
  creditOf,
  type CreditStanding,
  type PastAssessment,
  postedToOthers
} from "./CreditStanding.ts"
import { assess, type ScoreCard } from "./ScoreCard.ts"
import { refusal } from "../wire/Refusal.ts"

/** How often a user is scored within 24 hours, so that nobody finds the best fields by trying. */
export const MOST_ASSESSMENTS_A_DAY = 10

/** The same for all users of a company, so that nobody tries with more users. */
export const MOST_COMPANY_ASSESSMENTS_A_DAY = 30

/** Scored as often as a day allows. */
export class TooManyAssessments extends refusal(
  "TooManyAssessments",
  "rate_limited",
  ({
    by
  }: {
    readonly by: "user" | "company"
    /** When the next one is taken. */
    readonly retryAfterSeconds: number
  }) =>
    by === "user"
      ? "You were scored as often as a day allows: wait for the seconds in Retry-After."
      : "Your company's users were scored as often as a day allows: wait for the seconds in Retry-After."
) {}

/** Who asks, and when. */
export interface Applicant {
  readonly userId: string
  readonly at: number
}

/** What is decided on: the company's standing, and what the user's unpaid orders hold. */
export interface CreditSituation {
  readonly standing: CreditStanding
  readonly used: Amount
}

/** Scores a request and replaces the user's limit. */
export const assessment = (
  model: CreditModel,
  situation: CreditSituation,
  request: CreditRequest,
  applicant: Applicant
): Result.Result<Entry<CreditAssessed>, InvalidApplication | TooManyAssessments> => {
  const application = readApplication(request)
  if (Result.isFailure(application)) return Result.fail(application.failure)
  const tooMany = refusalOf(situation.standing, applicant)
  if (tooMany !== undefined) return Result.fail(tooMany)
  return Result.succeed(granting(situation, request, assess(model, application.success, applicant.at), applicant))
}

/**
 * Grants what a card allows: its limit less what the company's other users have, so that all of them together never
 * have more than the best of them was granted alone.
 */
export const granting = (
  { standing, used }: CreditSituation,
  request: CreditRequest,
  card: ScoreCard,
  { userId, at }: Applicant
): Entry<CreditAssessed> => {
  const { annualIncome, homeOwnership, empLength, loanAmt, purpose, desc } = request
  const left = card.limit - postedToOthers(standing, userId)
  const granted = left > 0n ? fromUnits(left) : ZERO
  const event: CreditAssessed = {
    _tag: "CreditAssessed",
    at,
    userId,
    companyId: standing.companyId,
    granted,
    used,
    posted: larger(granted, used),
    request: { annualIncome, homeOwnership, empLength, loanAmt, purpose, desc },
    card
  }
  return { commands: commandsOf(standing, event), event }
}

/**
 * Takes back what was repaid above the limit. Nothing where unpaid orders still use all of it, or where the account is
 * at what was granted.
 */
export const trimming = (
  { standing, used }: CreditSituation,
  { userId, at }: Applicant
): Entry<CreditLimitSet> | undefined => {
  const { granted, posted } = creditOf(standing, userId)
  const lower = larger(granted, used)
  if (lower >= posted) return undefined
  const { companyId } = standing
  const event: CreditLimitSet = { _tag: "CreditLimitSet", at, userId, companyId, granted, used, posted: lower }
  return { commands: commandsOf(standing, event), event }
}

const larger = (one: Amount, other: Amount): Amount => (one > other ? one : other)

const refusalOf = (standing: CreditStanding, { userId, at }: Applicant): TooManyAssessments | undefined => {
  const recent = assessmentsBefore(standing, at)
  const own = recent.filter((past) => past.userId === userId)
  if (own.length >= MOST_ASSESSMENTS_A_DAY) {
    return new TooManyAssessments({
      by: "user",
      retryAfterSeconds: secondsFrom(at, againAt(own, MOST_ASSESSMENTS_A_DAY))
    })
  }
  return recent.length < MOST_COMPANY_ASSESSMENTS_A_DAY
    ? undefined
    : new TooManyAssessments({
        by: "company",
        retryAfterSeconds: secondsFrom(at, againAt(recent, MOST_COMPANY_ASSESSMENTS_A_DAY))
      })
}

const secondsFrom = (now: number, then: number): number => Math.max(1, Math.ceil((then - now) / 1_000))

/** When so many of them are old that there are fewer than `most`. */
const againAt = (recent: ReadonlyArray<PastAssessment>, most: number): number =>
  (recent[recent.length - most]?.at ?? 0) + ASSESSMENT_WINDOW
