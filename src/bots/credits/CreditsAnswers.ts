import { CREDITS_PER_DOLLAR, MONTHLY_CREDITS, periodEnd } from "../../../engine/bot/EvaluationCredits.ts"
import type { CreditsBought } from "../../../engine/bot/EvaluationCreditsEvent.ts"
import { type Amount, format, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import type { Plan } from "../../identity/User.ts"
import type { CreditUse, ListedMovement } from "./CreditsRepository.ts"

/** A company's credits as it is told of them. */
export interface CreditsBalance {
  readonly plan: Plan
  readonly free: Amount
  readonly paid: Amount
  /** When the free ones lapse. */
  readonly periodEnd: number
}

/** Credits that were bought, and what there was then. */
export interface ToppedUp {
  readonly event: CreditsBought
  readonly free: Amount
  readonly paid: Amount
}

/** The whole number of credits of an amount of them: no part of one is ever moved. */
export const countOf = (credits: Amount): number => Number(credits / ONE)

/** What credits cost, as every answer says it. */
export const UNIT = { credit_unit_usd: 0.01, credits_per_dollar: Number(CREDITS_PER_DOLLAR) as 100 } as const

const currency = "CREDITS" as const

/** `balance` of Specification 2.19. */
export const balanceAnswer = ({ free, paid, periodEnd: period_end }: Omit<CreditsBalance, "plan">) => ({
  free_balance: countOf(free),
  paid_balance: countOf(paid),
  period_end,
  currency
})

/** Specification 2.19. */
export const creditsAnswer = (balance: CreditsBalance) => ({
  plan: balance.plan,
  balance: balanceAnswer(balance),
  monthly_grant: countOf(MONTHLY_CREDITS[balance.plan]),
  ...UNIT
})

/** What a top-up is answered with, and the credits that it left. */
export const topUpAnswer = ({ event, free, paid }: ToppedUp) => ({
  success: true as const,
  message: `Bought ${format(event.credits)} credits for ${format(event.usd)} USD`,
  top_up_id: event.topUpId,
  bot_id: event.botId,
  dollar_amount: event.usd,
  credits_purchased: countOf(event.credits),
  balance: balanceAnswer({ free, paid, periodEnd: periodEnd(event.at) })
})

/** One movement of credits. */
export const movementAnswer = (movement: ListedMovement) => ({
  seq: movement.seq,
  at: movement.at,
  period: movement.period,
  kind: movement.kind,
  free: countOf(movement.free),
  paid: countOf(movement.paid),
  usd: movement.usd,
  automatic: movement.automatic,
  bot_id: movement.botId,
  charge_id: movement.chargeId
})

/** What a bot used. */
export const useAnswer = ({ bought, evaluations, free, paid, usd }: CreditUse) => ({
  credits_used: countOf(fromUnits(free + paid)),
  free_credits_used: countOf(free),
  paid_credits_used: countOf(paid),
  evaluations,
  credits_purchased: countOf(bought),
  usd_spent: usd
})
