import type {
  BotEnded,
  BotFull,
  CollateralNotFree,
  InvalidBotAmount,
  LossLimitHeld
} from "../../engine/bots/BotLifeDecision.ts"
import type { IllegalBotAct, StillSuspended } from "../../engine/bots/BotLifecycle.ts"
import type { InvalidStrategy } from "../../engine/bots/Strategy.ts"
import { type Amount, format } from "../../engine/money/Amount.ts"
import type { InvalidStrategyModule, ModuleNotThere } from "./programs/StrategyModules.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** The caller's company owns no bot of this id, whether there is one or not. */
export class NotOwner extends refusal(
  "NotOwner",
  "access_denied",
  ({ botId }: { readonly botId: string }) => `You own no bot ${botId}.`
) {}

/** Money comes from the account of the user whose bot it is, who alone may ask for that. */
export class NotItsUser extends refusal<"NotItsUser", "access_denied", { readonly botId: string }>(
  "NotItsUser",
  "access_denied",
  () => "Only the user whose bot it is funds it from the account."
) {}

/** The company's plan has no bots. */
export class PlanRequired extends refusal(
  "PlanRequired",
  "plan_required",
  ({ plan }: { readonly plan: string }) => `The plan ${plan} has no bots: choose pro or enterprise.`
) {}

/** An administrator withdrew the right to have bots. */
export class EntitlementRequired extends refusal("EntitlementRequired", "entitlement_required") {}

/** The plan's number of bots. */
export class BotLimitReached extends refusal(
  "BotLimitReached",
  "bot_limit_reached",
  ({
    counted,
    limit
  }: {
    readonly limit: number
    /** Whether bots of any kind are counted, or the active ones alone. */
    readonly counted: "bots" | "active bots"
  }) =>
    counted === "bots"
      ? `The plan's ${limit} bots are made: terminate one first.`
      : `The plan's ${limit} bots are active: pause one first.`
) {}

/** The user has linked no wallet. */
export class WalletRequired extends refusal(
  "WalletRequired",
  "wallet_required",
  () => "Link a wallet first: send its wallet_address to PUT /api/v1/users/me."
) {}

/** The user's account has less than what is to move. */
export class AccountNotCovering extends refusal(
  "AccountNotCovering",
  "unprocessable",
  ({ available, field, needed }: { readonly field: string; readonly available: Amount; readonly needed: Amount }) =>
    `payload.${field}: Expected at most the ${format(available)} USD that the account has, not ${format(needed)}`
) {}

/** Why a company may have no more bots, or no active one. */
export type Barred = PlanRequired | EntitlementRequired | BotLimitReached

export type CreateRefused = Barred | WalletRequired | InvalidStrategy | InvalidStrategyModule | AccountNotCovering
export type ChangeRefused = NotOwner | InvalidStrategy | InvalidStrategyModule | BotEnded | LossLimitHeld
export type MoveRefused = NotOwner | Barred | ModuleNotThere | IllegalBotAct | StillSuspended
export type FundRefused = NotOwner | NotItsUser | BotEnded | BotFull | InvalidBotAmount | AccountNotCovering
export type WithdrawRefused = NotOwner | BotEnded | InvalidBotAmount | CollateralNotFree | LossLimitHeld
