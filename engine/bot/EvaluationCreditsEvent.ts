import type { Amount } from "../money/Amount.ts"

/** Milliseconds since 1970, and the company whose credits moved. */
interface Movement {
  readonly at: number
  readonly companyId: string
}

/** The plan's credits of one month. A company gets them once a month, whatever becomes of its plan meanwhile. */
export interface CreditsGranted extends Movement {
  readonly _tag: "CreditsGranted"
  /** Such as `2026-11`. */
  readonly period: string
  readonly credits: Amount
}

/** What was left of a month's free credits is gone, what was held of them too. */
export interface CreditsLapsed extends Movement {
  readonly _tag: "CreditsLapsed"
  readonly period: string
  readonly credits: Amount
  /** The charges whose free part ended with the month. */
  readonly charges: ReadonlyArray<string>
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
  readonly automatic: boolean
}

/** What a charge takes, free credits first. */
export interface Charge {
  readonly chargeId: string
  readonly companyId: string
  readonly botId: string
  readonly free: Amount
  readonly paid: Amount
}

/** Credits are kept for something that is being done. */
export interface CreditsHeld extends Movement {
  readonly _tag: "CreditsHeld"
  readonly charge: Charge
}

/** It was done. */
export interface CreditsCaptured extends Movement {
  readonly _tag: "CreditsCaptured"
  readonly charge: Charge
}

/** It failed, and nothing is charged. */
export interface CreditsReleased extends Movement {
  readonly _tag: "CreditsReleased"
  readonly charge: Charge
}

export type EvaluationCreditsEvent =
  | CreditsGranted
  | CreditsLapsed
  | CreditsBought
  | CreditsHeld
  | CreditsCaptured
  | CreditsReleased
