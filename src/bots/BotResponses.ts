import { type BotState } from "../../engine/bots/Bot.ts"
import { lossLimitOf } from "../../engine/ledger/LossLimit.ts"
import type { BotAccounts } from "../../engine/bots/BotLifeDecision.ts"
import { overridesOf } from "../../engine/bots/Strategy.ts"
import type { Account } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../../engine/money/Amount.ts"

/** What a bot did. */
export interface Performance {
  /** Posted profits and losses with the yield, in 10⁻⁶ USD. */
  readonly profit: Amount
  readonly commitments: number
  readonly won: number
  /** Commitments that won or lost. */
  readonly decided: number
  /** Credits that its evaluations took, in 10⁻⁶. */
  readonly creditsUsed: Amount
}

const available = ({ balance, held }: Account): Amount => fromUnits(balance - held)

/** Whole credits. */
export const creditCount = (credits: Amount): number => Number(credits / ONE)

const collateralAnswer = (collateral: Account) => ({
  collateral_amount: collateral.balance,
  collateral_locked: collateral.held,
  collateral_available: available(collateral)
})

/** A bot under the names of the contract. */
export const botAnswer = (bot: BotState, { allowance, collateral }: BotAccounts) => {
  const { profile, standing } = bot
  return {
    bot_id: bot.botId,
    owner_id: bot.companyId,
    user_id: bot.userId,
    wallet_address: bot.walletAddress,
    name: profile.name,
    capabilities: profile.capabilities,
    strategy: { ...profile.strategy, overrides: overridesOf(profile.strategy) },
    status: standing.status,
    suspension_reason: standing.cause,
    strategy_module: profile.strategyModule ?? null,
    strategy_error: bot.failure,
    ...collateralAnswer(collateral),
    net_funded: bot.netFunded,
    loss_limit: lossLimitOf(bot.netFunded, profile.strategy.maxLossPct),
    loss_remaining: standing.status === "terminated" ? ZERO : available(allowance),
    credit_budget: creditCount(profile.creditBudget),
    auto_topup_enabled: profile.autoTopUp,
    created_at: bot.createdAt,
    status_changed_at: bot.statusAt
  }
}

/** What a bot did under the names of the contract. */
export const performanceAnswer = ({ commitments, creditsUsed, decided, profit, won }: Performance) => ({
  profit_loss: profit,
  win_rate: decided === 0 ? 0 : won / decided,
  credits_used: creditCount(creditsUsed),
  total_commitments: commitments,
  commitments_won: won
})

/** Collateral that moved, under the names of the contract. */
export const movedAnswer = (
  {
    _tag,
    amount,
    botId
  }: { readonly _tag: "BotFunded" | "BotWithdrawn"; readonly amount: Amount; readonly botId: string },
  collateral: Account
) => ({
  success: true as const,
  message: _tag === "BotFunded" ? "Bot funded" : "Collateral withdrawn",
  bot_id: botId,
  amount,
  ...collateralAnswer(collateral)
})
