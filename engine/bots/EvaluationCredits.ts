import { DateTime } from "effect"
import { type AccountId, accountId, PLATFORM } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { custodyOf, walletOf } from "../ledger/Funding.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { Charge, EvaluationCreditsEvent } from "./EvaluationCreditsEvent.ts"

/** Counts credits: one credit is one unit. Not money. */
export const CREDITS = "CREDITS"

/** 1 credit = 0.01 USD. Specification 8. */
export const CREDITS_PER_DOLLAR = 100n

/** What one evaluation costs. */
export const EVALUATION_PRICE: Amount = ONE

/** What an automatic top-up buys, where the bot's budget allows that much: 500 credits for 5 USD. */
export const AUTO_TOP_UP: Amount = fromUnits(500n * ONE)

/** The credits that each plan gives its company a month. */
export const MONTHLY_CREDITS = {
  standard: ZERO,
  pro: fromUnits(5_000n * ONE),
  enterprise: fromUnits(50_000n * ONE)
} as const

const CENT = ONE / CREDITS_PER_DOLLAR

/** A company's credits that lapse at the end of the month, and those it bought. */
export const creditsOf = (companyId: string, kind: "free" | "paid"): AccountId =>
  accountId(companyId, CREDITS, kind === "free" ? "credits_free" : "credits_paid")

const budgetAsset = (period: string): string => `CREDITS-BUDGET-${period}`

/** What a bot may still use in a month. Each month has an account of its own, so that none reaches into another. */
export const creditBudgetOf = (botId: string, period: string): AccountId =>
  accountId(botId, budgetAsset(period), "allowance")

/** The platform's USD from credits that were sold. */
export const CREDIT_SALES: AccountId = accountId(PLATFORM, "USD", "platform")

/** Where the movements of a company's credits are recorded, but for charges. */
export const creditsStream = (companyId: string): string => `credits/${companyId}`

/** The calendar month of a time (UTC), such as `2026-11`. Later months are greater as text. */
export const periodOf = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at)).slice(0, 7)

/** The first millisecond after a time's month (UTC). */
export const periodEnd = (at: number): number =>
  DateTime.makeUnsafe(at).pipe(DateTime.startOf("month"), DateTime.add({ months: 1 }), DateTime.toEpochMillis)

/** The credits that USD buy; undefined where they are no whole number of cents, or none. */
export const creditsFor = (usd: Amount): Amount | undefined =>
  usd > 0n && usd % CENT === 0n ? fromUnits(usd * CREDITS_PER_DOLLAR) : undefined

/** What a whole number of credits costs in USD. */
export const priceOf = (credits: Amount): Amount => fromUnits(credits / CREDITS_PER_DOLLAR)

/** All that a charge takes. */
export const totalOf = ({ free, paid }: Charge): Amount => fromUnits(free + paid)

/** What a recorded event moved: the same for the decision and for a replay. */
export const creditCommands = (event: EvaluationCreditsEvent): ReadonlyArray<Command> => {
  const { companyId, period } = event
  switch (event._tag) {
    case "CreditsGranted":
      return [moved(`credits-grant/${companyId}/${period}`, custodyOf(CREDITS), free(event), event.credits)]
    case "CreditsLapsed":
      return [moved(`credits-lapse/${companyId}/${period}`, free(event), custodyOf(CREDITS), event.credits)]
    case "CreditsBought": {
      const id = `credits-bought/${event.topUpId}`
      return [
        moved(`${id}/usd`, walletOf(event.userId, "USD"), CREDIT_SALES, event.usd),
        moved(id, custodyOf(CREDITS), creditsOf(companyId, "paid"), event.credits)
      ]
    }
    case "CreditBudgetSet":
      return [budgeted(event)]
  }
}

/**
 * What an evaluation takes from its company's credits and from its bot's budget: each part is held and captured, so
 * that the ledger takes a charge once, whole, or not at all. To be part of the entry that records the decision.
 */
export const chargeCommands = (charge: Charge): ReadonlyArray<Command> => [
  ...captured(charge, "free"),
  ...captured(charge, "paid"),
  {
    _tag: "Transfer",
    id: `credits/${charge.chargeId}/budget`,
    from: creditBudgetOf(charge.botId, charge.period),
    to: custodyOf(budgetAsset(charge.period)),
    amount: totalOf(charge),
    purpose: "allowance"
  }
]

const captured = (charge: Charge, kind: "free" | "paid"): ReadonlyArray<Command> => {
  const hold = `credits/${charge.chargeId}/${kind}`
  const amount = charge[kind]
  const to = custodyOf(CREDITS)
  if (amount === ZERO) return []
  return [
    { _tag: "Hold", id: hold, account: creditsOf(charge.companyId, kind), into: to, amount },
    { _tag: "Capture", hold, to, amount, purpose: "credits" }
  ]
}

const budgeted = (event: Extract<EvaluationCreditsEvent, { readonly _tag: "CreditBudgetSet" }>): Command => {
  const { after, before, botId, period, times } = event
  const custody = custodyOf(budgetAsset(period))
  const budget = creditBudgetOf(botId, period)
  const change = { _tag: "Transfer", id: `credit-budget/${botId}/${period}/${times}`, purpose: "allowance" } as const
  return after > before
    ? { ...change, from: custody, to: budget, amount: fromUnits(after - before) }
    : { ...change, from: budget, to: custody, amount: fromUnits(before - after) }
}

const free = ({ companyId }: { readonly companyId: string }): AccountId => creditsOf(companyId, "free")

const moved = (id: string, from: AccountId, to: AccountId, amount: Amount): Command => ({
  _tag: "Transfer",
  id,
  from,
  to,
  amount,
  purpose: "credits"
})
