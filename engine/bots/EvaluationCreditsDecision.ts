/** Decides on a company's credits: monthly grants and lapses, purchases, charges and budgets. */

import { Result } from "effect"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { AUTO_TOP_UP, creditsFor, periodOf, priceOf } from "./EvaluationCredits.ts"
import type { Charge, CreditsBought, EvaluationCreditsEvent } from "./EvaluationCreditsEvent.ts"
import { refusal } from "../wire/Refusal.ts"

/** What decisions on a company's credits are made on. */
export interface CreditsStanding {
  readonly companyId: string
  /** Of the company's stream of credits. */
  readonly version: number
  /** What its plan gives each month. */
  readonly monthly: Amount
  /** The month of its last grant; null before the first. */
  readonly granted: string | null
  readonly free: Amount
  readonly paid: Amount
}

/** What a bot may use of its company's credits in one month. */
export interface BudgetStanding {
  readonly botId: string
  /** Whose USD pay for its automatic top-ups. */
  readonly userId: string
  /** What its owner lets it use each month. */
  readonly monthly: Amount
  readonly autoTopUp: boolean
  /** The month that the rest tells of. */
  readonly period: string
  /** How often the month's budget was set, and to what. */
  readonly times: number
  readonly set: Amount
  /** What is left of it. */
  readonly left: Amount
  /** What was bought automatically for the bot in the month. */
  readonly toppedUp: Amount
}

/** What a charge is decided on. */
export interface ChargeStanding {
  readonly credits: CreditsStanding
  readonly budget: BudgetStanding
}

const GONE = {
  credits: "The company has no credits left: buy some for the bot by topup.",
  budget: "The bot's credit_budget of this month is used up: raise it, or wait for the next month.",
  usd: "The automatic top-up needs more USD than the account has: add funds."
} as const

/**
 * A bot cannot pay for an evaluation.
 *
 * - `credits`: its company has too few, and the bot buys none by itself, or nothing that the budget still allows.
 * - `budget`: the bot used what it may use this month.
 * - `usd`: an automatic top-up was due, and the owner's USD did not reach.
 */
export class CreditsGone extends refusal(
  "CreditsGone",
  "unprocessable",
  ({ cause }: { readonly botId: string; readonly cause: "credits" | "budget" | "usd" }) => GONE[cause]
) {}

/** What a new month brings: the old one's free credits lapse, and the plan gives new ones, once. */
export const turnOfMonth = (standing: CreditsStanding, at: number): ReadonlyArray<EvaluationCreditsEvent> => {
  const { companyId, free, granted, monthly } = standing
  const period = periodOf(at)
  const isNew = granted === null || granted < period
  if (!isNew) return []
  const events: Array<EvaluationCreditsEvent> = []
  if (granted !== null && free > 0n) {
    events.push({ _tag: "CreditsLapsed", at, companyId, period: granted, credits: free })
  }
  if (monthly > 0n) events.push({ _tag: "CreditsGranted", at, companyId, period, credits: monthly })
  return events
}

/** Sets the month's budget to what the owner lets the bot use, where it is another: what was used stays used. */
const budgeting = ({ budget, credits: { companyId } }: ChargeStanding, at: number) => {
  const { botId, left, monthly, period, set, times } = budget
  const used = fromUnits(set - left)
  const after = monthly > used ? monthly : used
  const event = { _tag: "CreditBudgetSet", at, companyId, period, botId, times: times + 1, before: set, after } as const
  return after === set ? [] : [event]
}

/** Who buys credits, and for which bot. */
export interface Buyer {
  readonly companyId: string
  readonly botId: string
  /** Whose USD pay. */
  readonly userId: string
}

/** What USD buy; undefined where they are no whole number of cents, or none. */
export const purchaseOf = (
  { botId, companyId, userId }: Buyer,
  usd: Amount,
  at: number,
  topUpId: string,
  automatic = false
): CreditsBought | undefined => {
  const credits = creditsFor(usd)
  if (credits === undefined) return undefined
  const period = periodOf(at)
  return { _tag: "CreditsBought", at, companyId, period, topUpId, botId, userId, usd, credits, automatic }
}

/** Buys credits where too few are left, never more than the bot may still use or buy by itself this month. */
const toppingUp = ({ budget, credits }: ChargeStanding, price: Amount, at: number, topUpId: string) => {
  const { autoTopUp, botId, left, set, toppedUp, userId } = budget
  const missing = price - credits.free - credits.paid
  if (missing <= 0n || !autoTopUp || left < price) return []
  const most = [AUTO_TOP_UP, left, set - toppedUp].reduce((least, each) => (each < least ? each : least))
  const bought = fromUnits(most - (most % ONE))
  if (bought < missing) return []
  const purchase = purchaseOf({ companyId: credits.companyId, botId, userId }, priceOf(bought), at, topUpId, true)
  return purchase === undefined ? [] : [purchase]
}

/**
 * What has to be recorded before a bot is charged: a new month, a changed budget, an automatic top-up, in this order.
 * To be written on the version of the standing. The ledger may refuse the top-up alone.
 */
export const beforeCharge = (
  standing: ChargeStanding,
  price: Amount,
  at: number,
  topUpId: string
): ReadonlyArray<EvaluationCreditsEvent> => {
  const turned = turnOfMonth(standing.credits, at)
  const afterTurn = turned.reduce(afterEvent, standing)
  const budgeted = budgeting(afterTurn, at)
  return [...turned, ...budgeted, ...toppingUp(budgeted.reduce(afterEvent, afterTurn), price, at, topUpId)]
}

/** The standing after an event that was recorded. */
export const afterEvent = (standing: ChargeStanding, event: EvaluationCreditsEvent): ChargeStanding => {
  const { budget } = standing
  const credits = { ...standing.credits, version: standing.credits.version + 1 }
  switch (event._tag) {
    case "CreditsGranted":
      return { budget, credits: { ...credits, granted: event.period, free: fromUnits(credits.free + event.credits) } }
    case "CreditsLapsed":
      return { budget, credits: { ...credits, free: fromUnits(credits.free - event.credits) } }
    case "CreditsBought": {
      const own = event.automatic && event.botId === budget.botId && event.period === budget.period
      return {
        credits: { ...credits, paid: fromUnits(credits.paid + event.credits) },
        budget: own ? { ...budget, toppedUp: fromUnits(budget.toppedUp + event.credits) } : budget
      }
    }
    case "CreditBudgetSet": {
      const { after, before, times } = event
      const own = event.botId === budget.botId && event.period === budget.period
      const left = fromUnits(budget.left + after - before)
      return { credits, budget: own ? { ...budget, times, set: after, left } : budget }
    }
  }
}

/**
 * What an evaluation takes, free credits first. It holds on the standing's version: written on another one, it might
 * take paid credits where free ones are. Two charges on one version cannot take the same credits: the ledger refuses one.
 */
export const chargeOf = (
  { budget, credits }: ChargeStanding,
  price: Amount,
  chargeId: string
): Result.Result<Charge, CreditsGone> => {
  const { botId, left, period } = budget
  if (left < price) return Result.fail(new CreditsGone({ botId, cause: "budget" }))
  if (credits.free + credits.paid < price) return Result.fail(new CreditsGone({ botId, cause: "credits" }))
  const free = credits.free < price ? credits.free : price
  const paid = fromUnits(price - free)
  return Result.succeed({ chargeId, companyId: credits.companyId, botId, period, free, paid })
}

/** The standing after a charge. */
export const afterCharge = ({ budget, credits }: ChargeStanding, { free, paid }: Charge): ChargeStanding => ({
  credits: { ...credits, free: fromUnits(credits.free - free), paid: fromUnits(credits.paid - paid) },
  budget: { ...budget, left: fromUnits(budget.left - free - paid) }
})
