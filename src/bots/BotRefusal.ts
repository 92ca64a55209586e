import { Effect } from "effect"
import type { BotEnded, CollateralNotFree, InvalidBotAmount, LossLimitHeld } from "../../engine/bots/BotLifeDecision.ts"
import type { IllegalBotAct, StillSuspended, SuspensionCause } from "../../engine/bots/BotLifecycle.ts"
import type { InvalidStrategy } from "../../engine/bots/Strategy.ts"
import { format } from "../../engine/money/Amount.ts"
import { HALTED_AGAIN } from "../arena/CommitmentHalts.ts"
import { ApiError, type Code } from "../api/ApiError.ts"
import type * as Refusal from "./BotError.ts"

const told = <C extends Code>(code: C, message?: string) => Effect.fail(new ApiError(code, message))

const CAUSES: Readonly<Record<SuspensionCause, string>> = {
  credits_gone: "it has no credits to evaluate with: buy some, or raise its credit_budget",
  loss_limit: "it may lose no more: fund it, or raise its maxLossPct",
  breaker_open: "circuit breakers pause everything that it trades: wait until one closes",
  plan_downgraded: "the plan has no room for another active bot: pause one, or choose a larger plan"
}

export const ownerAnswers = {
  NotOwner: ({ botId }: Refusal.NotOwner) => told("access_denied", `You own no bot ${botId}.`)
}

export const barredAnswers = {
  PlanRequired: ({ plan }: Refusal.PlanRequired) =>
    told("plan_required", `The plan ${plan} has no bots: choose pro or enterprise.`),
  EntitlementRequired: () => told("entitlement_required"),
  BotLimitReached: ({ counted, limit }: Refusal.BotLimitReached) =>
    told(
      "bot_limit_reached",
      counted === "bots"
        ? `The plan's ${limit} bots are made: terminate one first.`
        : `The plan's ${limit} bots are active: pause one first.`
    )
}

export const strategyAnswers = {
  InvalidStrategy: ({ expected, field }: InvalidStrategy) =>
    told("unprocessable", `payload.strategy.${field}: Expected ${expected}`)
}

const ended = {
  BotEnded: ({ botId }: BotEnded) => told("conflict", `The bot ${botId} is terminated: make another one.`)
}

const held = {
  LossLimitHeld: ({ free, needed }: LossLimitHeld) =>
    told(
      "conflict",
      `What the bot may lose would shrink by ${format(needed)} USD, and open commitments or losses leave ` +
        `${format(free)} of it: wait until commitments settle, or ask for less.`
    )
}

const amounts = {
  InvalidBotAmount: ({ field }: InvalidBotAmount) => told("unprocessable", `payload.${field}: Expected more than 0`)
}

const covering = {
  AccountNotCovering: ({ available, field, needed }: Refusal.AccountNotCovering) =>
    told(
      "unprocessable",
      `payload.${field}: Expected at most the ${format(available)} USD that the account has, not ${format(needed)}`
    )
}

export const creationAnswers = {
  ...barredAnswers,
  ...strategyAnswers,
  ...covering,
  WalletRequired: () => told("wallet_required", "Link a wallet first: send its wallet_address to PUT /api/v1/users/me.")
}

export const changeAnswers = { ...ownerAnswers, ...strategyAnswers, ...ended, ...held }

export const liftAnswers = {
  HaltedAgain: () => told("conflict", HALTED_AGAIN)
}

export const moveAnswers = {
  ...ownerAnswers,
  ...barredAnswers,
  IllegalBotAct: ({ act, status }: IllegalBotAct) =>
    told("conflict", `A bot that is ${status} cannot ${act}: see the bot's status.`),
  StillSuspended: ({ cause }: StillSuspended) => told("conflict", `The bot stays suspended: ${CAUSES[cause]}.`)
}

export const fundAnswers = {
  ...ownerAnswers,
  ...ended,
  ...amounts,
  ...covering,
  NotItsUser: () => told("access_denied", "Only the user whose bot it is funds it from the account.")
}

export const withdrawAnswers = {
  ...ownerAnswers,
  ...ended,
  ...amounts,
  ...held,
  CollateralNotFree: ({ free, needed }: CollateralNotFree) =>
    told(
      "unprocessable",
      `payload.amount: Expected at most the ${format(free)} USD that are free, not ${format(needed)}`
    )
}
