import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import type { Payer } from "../../../engine/bots/Charging.ts"
import {
  AUTO_TOP_UP,
  CREDITS_PER_DOLLAR,
  EVALUATION_PRICE,
  MONTHLY_CREDITS,
  periodEnd,
  priceOf
} from "../../../engine/bots/EvaluationCredits.ts"
import type { CreditsBought } from "../../../engine/bots/EvaluationCreditsEvent.ts"
import { type Amount, format, fromUnits, ONE, toNumber } from "../../../engine/money/Amount.ts"
import { MAX_TOP_UP_USD } from "../../api/BotCredits.ts"

import type { CreditUse, CreditUses, ListedMovement } from "./CreditsRepository.ts"

/** A company's credits as it is told of them. */
export interface CreditsBalance {
  readonly plan: CompanyPlan
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

/** What evaluations cost, what plans give, and who sells credits. */
export const RATES = {
  ...UNIT,
  evaluation_price: countOf(EVALUATION_PRICE),
  auto_topup_credits: countOf(AUTO_TOP_UP),
  min_topup_usd: toNumber(priceOf(ONE)),
  max_topup_usd: MAX_TOP_UP_USD,
  monthly_grants: {
    standard: countOf(MONTHLY_CREDITS.standard),
    pro: countOf(MONTHLY_CREDITS.pro),
    enterprise: countOf(MONTHLY_CREDITS.enterprise)
  },
  partner_pool_providers: [{ provider: "emporion", credits_per_dollar: UNIT.credits_per_dollar, available: true }]
} as const

/** What a bot used, and may still use. */
export interface CreditsStats extends CreditUses {
  /** Such as `2026-11`, and when it ends. */
  readonly month: string
  readonly periodEnd: number
  /** What the bot may still use of its budget. */
  readonly left: Amount
  /** What was bought automatically for it. */
  readonly toppedUp: Amount
}

/** The credits that a bot used, this month and in all. */
export const statsAnswer = ({ autoTopUp, botId, creditBudget }: Payer, stats: CreditsStats) => ({
  bot_id: botId,
  period: stats.month,
  period_end: stats.periodEnd,
  credit_budget: countOf(creditBudget),
  budget_remaining: countOf(stats.left),
  auto_topup_enabled: autoTopUp,
  auto_topped_up: countOf(stats.toppedUp),
  this_period: useAnswer(stats.period),
  all_time: useAnswer(stats.total),
  last_evaluation_at: stats.lastAt
})
