import type { AssetType } from "../arena/AssetType.ts"
import type { Amount } from "../money/Amount.ts"
import type { SuspensionCause } from "./BotLifecycle.ts"
import type { Charge } from "./EvaluationCreditsEvent.ts"
import type { Decision, EvaluationInput } from "./Evaluation.ts"
import type { Strategy } from "./Strategy.ts"

/** What an owner decides about a bot. Specification 2.18. */
export interface BotProfile {
  readonly name: string
  /** The asset types that it trades: distinct, at least one. */
  readonly capabilities: ReadonlyArray<AssetType>
  readonly strategy: Strategy
  /** The credits that it may use in a month, in 10⁻⁶. */
  readonly creditBudget: Amount
  /** Whether credits are bought for it when they run out, within its budget. */
  readonly autoTopUp: boolean
}

/** Who did what to a bot, and when. */
interface Act {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The user who acted; null for the platform itself. */
  readonly by: string | null
  readonly botId: string
}

/** Money that comes or goes with an act. */
interface Movement extends Act {
  /** Counts the movements of a bot from 1: names the ledger's transfers. */
  readonly turn: number
  /** By what its loss limit moves, in 10⁻⁶ USD; below 0 where it is taken back. */
  readonly allowance: Amount
}

/** A company has a new bot. Its collateral comes from the wallet of the user that made it, whose bot it stays. */
export interface BotCreated extends Movement {
  readonly _tag: "BotCreated"
  readonly companyId: string
  readonly userId: string
  /** The linked wallet of the user. */
  readonly walletAddress: string
  readonly profile: BotProfile
  /** The first collateral, 0 or more. */
  readonly amount: Amount
}

/** Its owner decided otherwise: the whole profile as it is from now on. */
export interface BotChanged extends Movement {
  readonly _tag: "BotChanged"
  readonly profile: BotProfile
}

export interface BotStarted extends Act {
  readonly _tag: "BotStarted"
}

export interface BotPaused extends Act {
  readonly _tag: "BotPaused"
}

export interface BotResumed extends Act {
  readonly _tag: "BotResumed"
}

/** The engine keeps an active bot from going on. */
export interface BotSuspended extends Act {
  readonly _tag: "BotSuspended"
  readonly cause: SuspensionCause
}

/** It ended for good, and its free collateral went back. */
export interface BotTerminated extends Movement {
  readonly _tag: "BotTerminated"
  readonly amount: Amount
}

/** Money of its user became its collateral. */
export interface BotFunded extends Movement {
  readonly _tag: "BotFunded"
  readonly amount: Amount
}

/** Free collateral went back to its user. */
export interface BotWithdrawn extends Movement {
  readonly _tag: "BotWithdrawn"
  readonly amount: Amount
}

/** What a terminated bot's commitments set free, and what they earned, went back to its user. */
export interface BotReturned extends Movement {
  readonly _tag: "BotReturned"
  readonly amount: Amount
}

/** A bot decided about an order. What it decided on is kept, so that it can be decided again. */
export interface BotDecided extends Act {
  readonly _tag: "BotDecided"
  /** `dec_<bot>_<order>` for what a bot decides by itself: once an order. */
  readonly decisionId: string
  readonly orderId: string
  /** Whether it was asked for, and is not acted on. */
  readonly dryRun: boolean
  readonly input: EvaluationInput
  readonly decision: Decision
  /** What it took from the company's credits, in the same entry; null where nothing was. */
  readonly charge: Charge | null
}

/** A company asked for all its bots to be paused at a time, unless it asks again before; null: no more. */
export interface BotGuardSet {
  readonly _tag: "BotGuardSet"
  readonly at: number
  readonly by: string | null
  readonly companyId: string
  readonly deadlineAt: number | null
}

export type BotEvent =
  | BotCreated
  | BotChanged
  | BotStarted
  | BotPaused
  | BotResumed
  | BotSuspended
  | BotTerminated
  | BotFunded
  | BotWithdrawn
  | BotReturned
  | BotDecided
  | BotGuardSet

/** Where a company's bots are made: one event each, so that its version is their number. */
export const companyBotsStream = (companyId: string): string => `bots/${companyId}`

/** Where what happens to a bot after it was made is recorded. */
export const botStream = (botId: string): string => `bot/${botId}`

/** Where a company's guard is set. */
export const botGuardStream = (companyId: string): string => `bot-guard/${companyId}`

/** The stream that an event belongs in. */
export const streamOf = (event: BotEvent): string =>
  event._tag === "BotCreated"
    ? companyBotsStream(event.companyId)
    : event._tag === "BotGuardSet"
      ? botGuardStream(event.companyId)
      : botStream(event.botId)

/** The decision that a bot makes about an order by itself, and the key under which it commits. */
export const decisionIdOf = (botId: string, orderId: string): string => `dec_${botId}_${orderId}`
