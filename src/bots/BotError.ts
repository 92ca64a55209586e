import { Data } from "effect"
import type { BotEnded, CollateralNotFree, InvalidBotAmount, LossLimitHeld } from "../../engine/bots/BotLifeDecision.ts"
import type { IllegalBotAct, StillSuspended } from "../../engine/bots/BotLifecycle.ts"
import type { InvalidStrategy } from "../../engine/bots/Strategy.ts"
import type { Amount } from "../../engine/money/Amount.ts"

/** access_denied: the caller's company owns no bot of this id, whether there is one or not. */
export class NotOwner extends Data.TaggedError("NotOwner")<{ readonly botId: string }> {}

/** access_denied: money comes from the account of the user whose bot it is, who alone may ask for that. */
export class NotItsUser extends Data.TaggedError("NotItsUser")<{ readonly botId: string }> {}

/** plan_required: the company's plan has no bots. */
export class PlanRequired extends Data.TaggedError("PlanRequired")<{ readonly plan: string }> {}

/** entitlement_required: an administrator withdrew the right to have bots. */
export class EntitlementRequired extends Data.TaggedError("EntitlementRequired") {}

/** bot_limit_reached: the plan's number of bots. */
export class BotLimitReached extends Data.TaggedError("BotLimitReached")<{
  readonly limit: number
  /** Whether bots of any kind are counted, or the active ones alone. */
  readonly counted: "bots" | "active bots"
}> {}

/** wallet_required: the user has linked no wallet. */
export class WalletRequired extends Data.TaggedError("WalletRequired") {}

/** unprocessable: the user's account has less than what is to move. */
export class AccountNotCovering extends Data.TaggedError("AccountNotCovering")<{
  readonly field: string
  readonly available: Amount
  readonly needed: Amount
}> {}

/** Why a company may have no more bots, or no active one. */
export type Barred = PlanRequired | EntitlementRequired | BotLimitReached

export type CreateRefused = Barred | WalletRequired | InvalidStrategy | AccountNotCovering
export type ChangeRefused = NotOwner | InvalidStrategy | BotEnded | LossLimitHeld
export type MoveRefused = NotOwner | Barred | IllegalBotAct | StillSuspended
export type FundRefused = NotOwner | NotItsUser | BotEnded | InvalidBotAmount | AccountNotCovering
export type WithdrawRefused = NotOwner | BotEnded | InvalidBotAmount | CollateralNotFree | LossLimitHeld
