import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { Charge } from "./EvaluationCreditsEvent.ts"
import { Decision, EvaluationInput } from "./Evaluation.ts"
import { Strategy } from "./Strategy.ts"
import { ASSET_TYPES } from "../arena/AssetType.ts"
import { SUSPENSION_CAUSES } from "./BotLifecycle.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** What an owner decides about a bot. Specification 2.18. */
export const BotProfile = Schema.Struct({
  name: Schema.String,
  /** The asset types that it trades: distinct, at least one. */
  capabilities: Schema.Array(Schema.Literals(ASSET_TYPES)),
  strategy: Strategy,
  /** The credits that it may use in a month, in 10⁻⁶. */
  creditBudget: Amount,
  /** Whether credits are bought for it when they run out, within its budget. */
  autoTopUp: Schema.Boolean,
  /** The file of the module that decides for it, in the folder of the operator; without one its strategy decides. */
  strategyModule: Schema.optionalKey(Schema.String)
})
export type BotProfile = typeof BotProfile.Type

/** Who did what to a bot, and when. */
const act = {
  /** Milliseconds since 1970. */
  at: Schema.Int,
  /** The user who acted; null for the platform itself. */
  by: Schema.NullOr(Schema.String),
  botId: Schema.String
}

/** Money that comes or goes with an act. */
const movement = {
  ...act,
  /** Counts the movements of a bot from 1: names the ledger's transfers. */
  turn: Schema.Int,
  /** By what its loss limit moves, in 10⁻⁶ USD; below 0 where it is taken back. */
  allowance: Amount
}

/** A company has a new bot. Its collateral comes from the wallet of the user that made it, whose bot it stays. */
export const BotCreated = Schema.TaggedStruct("BotCreated", {
  ...movement,
  companyId: Schema.String,
  userId: Schema.String,
  /** The linked wallet of the user. */
  walletAddress: Schema.String,
  profile: BotProfile,
  /** The first collateral, 0 or more. */
  amount: Amount
})
export type BotCreated = typeof BotCreated.Type

/** Its owner decided otherwise: the whole profile as it is from now on. */
export const BotChanged = Schema.TaggedStruct("BotChanged", {
  ...movement,
  profile: BotProfile
})
export type BotChanged = typeof BotChanged.Type

export const BotStarted = Schema.TaggedStruct("BotStarted", act)
export type BotStarted = typeof BotStarted.Type

export const BotPaused = Schema.TaggedStruct("BotPaused", act)
export type BotPaused = typeof BotPaused.Type

export const BotResumed = Schema.TaggedStruct("BotResumed", act)
export type BotResumed = typeof BotResumed.Type

/** The engine keeps an active bot from going on. */
export const BotSuspended = Schema.TaggedStruct("BotSuspended", {
  ...act,
  cause: Schema.Literals(SUSPENSION_CAUSES),
  /** What its module failed with, for its owner. */
  failure: Schema.optionalKey(Schema.String)
})
export type BotSuspended = typeof BotSuspended.Type

/** It ended for good, and its free collateral went back. */
export const BotTerminated = Schema.TaggedStruct("BotTerminated", {
  ...movement,
  amount: Amount
})
export type BotTerminated = typeof BotTerminated.Type

/** Money of its user became its collateral. */
export const BotFunded = Schema.TaggedStruct("BotFunded", {
  ...movement,
  amount: Amount
})
export type BotFunded = typeof BotFunded.Type

/** Free collateral went back to its user. */
export const BotWithdrawn = Schema.TaggedStruct("BotWithdrawn", {
  ...movement,
  amount: Amount
})
export type BotWithdrawn = typeof BotWithdrawn.Type

/** What a terminated bot's commitments set free, and what they earned, went back to its user. */
export const BotReturned = Schema.TaggedStruct("BotReturned", {
  ...movement,
  amount: Amount
})
export type BotReturned = typeof BotReturned.Type

/** A bot decided about an order. What it decided on is kept, so that it can be decided again. */
export const BotDecided = Schema.TaggedStruct("BotDecided", {
  ...act,
  /** `dec_<bot>_<order>` for what a bot decides by itself: once an order. */
  decisionId: Schema.String,
  orderId: Schema.String,
  /** Whether it was asked for, and is not acted on. */
  dryRun: Schema.Boolean,
  input: EvaluationInput,
  decision: Decision,
  /** What it took from the company's credits, in the same entry; null where nothing was. */
  charge: Schema.NullOr(Charge)
})
export type BotDecided = typeof BotDecided.Type

/** A company asked for all its bots to be paused at a time, unless it asks again before; null: no more. */
export const BotGuardSet = Schema.TaggedStruct("BotGuardSet", {
  at: Schema.Int,
  by: Schema.NullOr(Schema.String),
  companyId: Schema.String,
  deadlineAt: Schema.NullOr(Schema.Int)
})
export type BotGuardSet = typeof BotGuardSet.Type

export const BotEvent = Schema.Union([
  BotCreated,
  BotChanged,
  BotStarted,
  BotPaused,
  BotResumed,
  BotSuspended,
  BotTerminated,
  BotFunded,
  BotWithdrawn,
  BotReturned,
  BotDecided,
  BotGuardSet
])
export type BotEvent = typeof BotEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeBotEvent = eventDecoder(BotEvent)

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
