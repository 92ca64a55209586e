import type { Amount } from "../money/Amount.ts"
import type { CreditRequest } from "./CreditApplication.ts"
import type { ScoreCard } from "./ScoreCard.ts"

/** Whose limit it is, and when it was set. */
interface LimitSet {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly userId: string
  readonly companyId: string
  /** What the user may owe. */
  readonly granted: Amount
  /** What unpaid orders used when it was decided. */
  readonly used: Amount
  /** What its account holds from now on: the larger of `granted` and `used`. */
  readonly posted: Amount
}

/** A user was scored, and its limit replaced. */
export interface CreditAssessed extends LimitSet {
  readonly _tag: "CreditAssessed"
  /** What was asked. */
  readonly request: CreditRequest
  /** Its `limit` is what the score alone grants; `granted` leaves out what colleagues have. */
  readonly card: ScoreCard
}

/** What was repaid above a lowered limit can no longer be used. */
export interface CreditLimitSet extends LimitSet {
  readonly _tag: "CreditLimitSet"
}

export type CreditEvent = CreditAssessed | CreditLimitSet
