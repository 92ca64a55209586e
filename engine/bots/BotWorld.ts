import { type Effect, type Result } from "effect"
import type { Journal, Precondition, StaleVersion } from "../actor/Journal.ts"
import type { ArenaError, OrderNotFound, OrderNotOpen, WindowClosed } from "../arena/ArenaError.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { OrderTerms } from "../arena/OrderTerms.ts"
import type { Halt } from "../arena/Submission.ts"
import type { Amount } from "../money/Amount.ts"
import type { BotState } from "./Bot.ts"
import type { BotEvent } from "./BotEvent.ts"
import type { CreditsGone } from "./EvaluationCreditsDecision.ts"
import type { Decision } from "./Evaluation.ts"
import type { Charge } from "./EvaluationCreditsEvent.ts"
import { refusal } from "../wire/Refusal.ts"

/** A decision that a bot made by itself. */
export interface RecordedDecision {
  readonly orderId: string
  /** When its order closes. */
  readonly expiryAt: number
  readonly decision: Decision
}

/** What is recorded of a bot. */
export interface Recalled {
  readonly bot: BotState
  /** Its own decisions about orders that take commitments; others may be among them. */
  readonly decisions: ReadonlyArray<RecordedDecision>
}

/** What a bot may spend, in 10⁻⁶ USD. */
export interface BotBalances {
  /** Its collateral that nothing holds. */
  readonly freeCollateral: Amount
  /** What it may still lock or lose before its loss limit. */
  readonly lossBudget: Amount
  /** What its commitments hold of its loss limit. */
  readonly lossLocked: Amount
}

/** A charge that can be taken. */
export interface PreparedCharge {
  readonly charge: Charge
  /** The company's credits that it was decided on. */
  readonly precondition: Precondition
}

/** A decision that is to be committed. */
export interface Carried {
  readonly bot: BotState
  readonly terms: OrderTerms
  readonly decisionId: string
  readonly decision: Decision
}

/** There is no such bot, which nobody is told. */
export class BotNotFound extends refusal(
  "BotNotFound",
  "access_denied",
  ({ botId }: { readonly botId: string }) => `You own no bot ${botId}.`
) {}

/** The bot was terminated. */
export class BotOver extends refusal(
  "BotOver",
  "conflict",
  ({ botId }: { readonly botId: string }) => `The bot ${botId} is terminated: it decides nothing any more.`
) {}

/** A module decides for the bot, by what it hears: it cannot be asked. */
export class ModuleDecides extends refusal(
  "ModuleDecides",
  "conflict",
  ({ botId, module }: { readonly botId: string; readonly module: string }) =>
    `The module ${module} decides for the bot ${botId}, when it hears of the market: see what it decided, or play it by emporion replay-market.`
) {}

/** The bot takes no bid of its module for this order. */
export class BidNotTaken extends refusal(
  "BidNotTaken",
  "conflict",
  ({ botId, orderId }: { readonly botId: string; readonly orderId: string }) =>
    `The bot ${botId} decides about the order ${orderId} once, while it is active.`
) {}

/** What a bot's module asked for is beyond its limits, and that was recorded. */
export class BidBeyondLimits extends refusal(
  "BidBeyondLimits",
  "unprocessable",
  ({ decision: { code, reason } }: { readonly decision: Decision }) => `${code}: ${reason}`
) {}

/** Why an order cannot be evaluated. */
export type NotOffered = OrderNotFound | OrderNotOpen | WindowClosed

/** Every reason not to answer what a bot was asked. */
export type BotError = BotNotFound | BotOver | ModuleDecides | NotOffered | CreditsGone

/** What a bot's actor needs of the world; `Failure` is a world that does not answer now. */
export interface BotWorld<Failure> {
  readonly journal: Journal<BotEvent>
  /** A bot as it is recorded; undefined where there is none. */
  readonly recall: (botId: string) => Effect.Effect<Recalled | undefined, Failure>
  /** The orders that take commitments, oldest first. One that has just closed may be among them. */
  readonly open: () => ReadonlyArray<OrderTerms>
  readonly find: (orderId: string) => Effect.Effect<Result.Result<OrderTerms, NotOffered>, Failure>
  /** The newest safe medians of an order's own price, oldest first, the newest holds now; none where it is not fresh. */
  readonly prices: (terms: OrderTerms, at: number) => Effect.Effect<ReadonlyArray<Amount>, Failure>
  readonly balances: (botId: string) => Effect.Effect<BotBalances, Failure>
  readonly halt: (assetType: AssetType, at: number) => Halt | null
  /** By how much of its edge a bid is lowered, drawn under a key; see EvaluationInput. */
  readonly shade: (decisionId: string) => Amount
  /** Prepares the charge of one evaluation, whose id is the decision's, of the bot as it was known: none that is stale pays. */
  readonly charge: (
    bot: BotState,
    chargeId: string,
    at: number
  ) => Effect.Effect<Result.Result<PreparedCharge, CreditsGone>, Failure | StaleVersion>
  /** Commits as the bot under the decision's id, with no tolerance. */
  readonly commit: (carried: Carried) => Effect.Effect<Result.Result<void, ArenaError>, Failure>
}
