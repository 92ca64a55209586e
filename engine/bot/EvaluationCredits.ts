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

const CENT = ONE / CREDITS_PER_DOLLAR

/** A company's credits that lapse at the end of the month, and those it bought. */
export const creditsOf = (companyId: string, kind: "free" | "paid"): AccountId =>
  accountId(companyId, CREDITS, kind === "free" ? "credits_free" : "credits_paid")

/** What a bot may still use this month. */
export const creditBudgetOf = (botId: string): AccountId => accountId(botId, "CREDITS-BUDGET", "allowance")

/** The platform's USD from credits that were sold. */
export const CREDIT_SALES: AccountId = accountId(PLATFORM, "USD", "platform")

/** The calendar month of a time (UTC), such as `2026-11`. */
export const periodOf = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at)).slice(0, 7)

/** The first millisecond after a time's month (UTC). */
export const periodEnd = (at: number): number =>
  DateTime.makeUnsafe(at).pipe(DateTime.startOf("month"), DateTime.add({ months: 1 }), DateTime.toEpochMillis)

/** The credits that USD buy; undefined where they are no whole number of cents, or none. */
export const creditsFor = (usd: Amount): Amount | undefined =>
  usd > 0n && usd % CENT === 0n ? fromUnits(usd * CREDITS_PER_DOLLAR) : undefined

/** Divides a price between the free credits there are and paid ones. The ledger refuses what neither has. */
export const chargeOf = (
  who: { readonly chargeId: string; readonly companyId: string; readonly botId: string },
  price: Amount,
  freeAvailable: Amount
): Charge => {
  const free = freeAvailable < price ? freeAvailable : price
  return { ...who, free, paid: fromUnits(price - free) }
}

const holdId = (chargeId: string, kind: "free" | "paid"): string => `credits/${chargeId}/${kind}`

/** The parts of a charge that take anything. */
const partsOf = (charge: Charge): ReadonlyArray<{ readonly kind: "free" | "paid"; readonly amount: Amount }> =>
  (["free", "paid"] as const).map((kind) => ({ kind, amount: charge[kind] })).filter(({ amount }) => amount > ZERO)

/** What a recorded event moved: the same for the decision and for a replay. */
export const creditCommands = (event: EvaluationCreditsEvent): ReadonlyArray<Command> => {
  switch (event._tag) {
    case "CreditsGranted":
      return [moved(`credits-grant/${event.companyId}/${event.period}`, custodyOf(CREDITS), free(event), event.credits)]
    case "CreditsLapsed": {
      const released = event.charges.map((chargeId): Command => ({ _tag: "Release", hold: holdId(chargeId, "free") }))
      const id = `credits-lapse/${event.companyId}/${event.period}`
      return event.credits === ZERO
        ? released
        : [...released, moved(id, free(event), custodyOf(CREDITS), event.credits)]
    }
    case "CreditsBought": {
      const id = `credits-bought/${event.topUpId}`
      const paid = creditsOf(event.companyId, "paid")
      return [
        moved(`${id}/usd`, walletOf(event.userId, "USD"), CREDIT_SALES, event.usd),
        moved(id, custodyOf(CREDITS), paid, event.credits)
      ]
    }
    case "CreditsHeld":
      return partsOf(event.charge).map(({ amount, kind }) => ({
        _tag: "Hold",
        id: holdId(event.charge.chargeId, kind),
        account: creditsOf(event.companyId, kind),
        into: custodyOf(CREDITS),
        amount
      }))
    case "CreditsCaptured":
      return partsOf(event.charge).map(({ amount, kind }) => ({
        _tag: "Capture",
        hold: holdId(event.charge.chargeId, kind),
        to: custodyOf(CREDITS),
        amount,
        purpose: "credits"
      }))
    case "CreditsReleased":
      return partsOf(event.charge).map(({ kind }) => ({ _tag: "Release", hold: holdId(event.charge.chargeId, kind) }))
  }
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
