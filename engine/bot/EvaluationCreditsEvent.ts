import type { Amount } from "../money/Amount.ts"

/** Milliseconds since 1970, the company whose credits moved, and the month (UTC) that it counts to, such as `2026-11`. */
interface Movement {
  readonly at: number
  readonly companyId: string
  readonly period: string
}

/** The plan's credits of a month. A company gets them once a month, whatever becomes of its plan meanwhile. */
export interface CreditsGranted extends Movement {
  readonly _tag: "CreditsGranted"
  readonly credits: Amount
}

/** What was left of a month's free credits is gone. */
export interface CreditsLapsed extends Movement {
  readonly _tag: "CreditsLapsed"
  readonly credits: Amount
}

/** Credits were bought with USD. */
export interface CreditsBought extends Movement {
  readonly _tag: "CreditsBought"
  readonly topUpId: string
  readonly botId: string
  /** Whose USD paid. */
  readonly userId: string
  readonly usd: Amount
  readonly credits: Amount
  /** Whether they were bought because none were left. */
  readonly automatic: boolean
}

/** A bot may use this much in a month. Never less than it has used. */
export interface CreditBudgetSet extends Movement {
  readonly _tag: "CreditBudgetSet"
  readonly botId: string
  /** 1 for the first time in the month. */
  readonly times: number
  readonly before: Amount
  readonly after: Amount
}

/**
 * What a bot's evaluation took, free credits first. It is no event of its own: the event that records the decision
 * carries it, and takes it in the same entry, so that nothing is charged for what was not decided.
 */
export interface Charge {
  readonly chargeId: string
  readonly companyId: string
  readonly botId: string
  /** The month whose budget it counts to. */
  readonly period: string
  readonly free: Amount
  readonly paid: Amount
}

/** What happens to a company's credits, but for what evaluations take. */
export type EvaluationCreditsEvent = CreditsGranted | CreditsLapsed | CreditsBought | CreditBudgetSet
