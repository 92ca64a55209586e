import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { CreditRequest } from "./CreditApplication.ts"
import { ScoreCard } from "./ScoreCard.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Whose limit it is, and when it was set. */
const limitSet = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  userId: Schema.String,
  companyId: Schema.String,
  /** What the user may owe. */
  granted: Amount,
  /** What unpaid orders used when it was decided. */
  used: Amount,
  /** What its account holds from now on: the larger of `granted` and `used`. */
  posted: Amount
}

/** A user was scored, and its limit replaced. */
export const CreditAssessed = Schema.TaggedStruct("CreditAssessed", {
  ...limitSet,
  /** What was asked. */
  request: CreditRequest,
  /** Its `limit` is what the score alone grants; `granted` leaves out what colleagues have. */
  card: ScoreCard
})
export type CreditAssessed = typeof CreditAssessed.Type

/** What was repaid above a lowered limit can no longer be used. */
export const CreditLimitSet = Schema.TaggedStruct("CreditLimitSet", limitSet)
export type CreditLimitSet = typeof CreditLimitSet.Type

export const CreditEvent = Schema.Union([CreditAssessed, CreditLimitSet])
export type CreditEvent = typeof CreditEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCreditEvent = eventDecoder(CreditEvent)
