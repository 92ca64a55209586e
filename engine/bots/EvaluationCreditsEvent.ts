import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** Milliseconds since 1970, the company whose credits moved, and the month (UTC) that it counts to, such as `2026-11`. */
const movement = {
  at: Schema.Int,
  companyId: Schema.String,
  period: Schema.String
}

/** The plan's credits of a month. A company gets them once a month, whatever becomes of its plan meanwhile. */
export const CreditsGranted = Schema.TaggedStruct("CreditsGranted", {
  ...movement,
  credits: Amount
})
export type CreditsGranted = typeof CreditsGranted.Type

/** What was left of a month's free credits is gone. */
export const CreditsLapsed = Schema.TaggedStruct("CreditsLapsed", {
  ...movement,
  credits: Amount
})
export type CreditsLapsed = typeof CreditsLapsed.Type

/** Credits were bought with USD. */
export const CreditsBought = Schema.TaggedStruct("CreditsBought", {
  ...movement,
  topUpId: Schema.String,
  botId: Schema.String,
  /** Whose USD paid. */
  userId: Schema.String,
  usd: Amount,
  credits: Amount,
  /** Whether they were bought because none were left. */
  automatic: Schema.Boolean
})
export type CreditsBought = typeof CreditsBought.Type

/** A bot may use this much in a month. Never less than it has used. */
export const CreditBudgetSet = Schema.TaggedStruct("CreditBudgetSet", {
  ...movement,
  botId: Schema.String,
  /** 1 for the first time in the month. */
  times: Schema.Int,
  before: Amount,
  after: Amount
})
export type CreditBudgetSet = typeof CreditBudgetSet.Type

/**
 * What a bot's evaluation took, free credits first. It is no event of its own: the event that records the decision
 * carries it, and takes it in the same entry, so that nothing is charged for what was not decided.
 */
export const Charge = Schema.Struct({
  chargeId: Schema.String,
  companyId: Schema.String,
  botId: Schema.String,
  /** The month whose budget it counts to. */
  period: Schema.String,
  free: Amount,
  paid: Amount
})
export type Charge = typeof Charge.Type

/** What happens to a company's credits, but for what evaluations take. */
export const EvaluationCreditsEvent = Schema.Union([CreditsGranted, CreditsLapsed, CreditsBought, CreditBudgetSet])
export type EvaluationCreditsEvent = typeof EvaluationCreditsEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeEvaluationCreditsEvent = eventDecoder(EvaluationCreditsEvent)
