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
  /** What its account holds from now on: `granted`, or what unpaid orders use where that is more. */
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
