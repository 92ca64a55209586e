import { Schema } from "effect"
import { ASSET_TYPES } from "../arena/AssetType.ts"
import type { Amount } from "../money/Amount.ts"
import type { BotEvent } from "./BotEvent.ts"
import { SUSPENSION_CAUSES } from "./BotLifecycle.ts"
import { DECISION_CODES } from "./Evaluation.ts"
import { ChargeSchema } from "./EvaluationCreditsEventCodec.ts"
import { RISK_PRESETS } from "./Strategy.ts"

const Money = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

const Asset = Schema.Literals(ASSET_TYPES)

const Strategy = Schema.Struct({
  riskPreset: Schema.Literals(RISK_PRESETS),
  riskLevel: Money,
  maxLossPct: Money,
  minRoiPct: Money,
  maxCollateralPerTrade: Money
})

const Profile = Schema.Struct({
  name: Schema.String,
  capabilities: Schema.Array(Asset),
  strategy: Strategy,
  creditBudget: Money,
  autoTopUp: Schema.Boolean
})

/** What an evaluation is decided on, as it is kept. */
export const KeptInput = Schema.Struct({
  at: Schema.Int,
  strategy: Strategy,
  order: Schema.Struct({
    orderId: Schema.String,
    assetType: Asset,
    entryPrice: Money,
    quantity: Money,
    expiryAt: Schema.Int,
    makerDiscount: Schema.optionalKey(Money)
  }),
  prices: Schema.Array(Money),
  freeCollateral: Money,
  lossBudget: Money,
  capable: Schema.Boolean,
  halted: Schema.Boolean,
  shade: Money
})

/** What was decided, as it is kept. */
export const KeptDecision = Schema.Struct({
  code: Schema.Literals(DECISION_CODES),
  reason: Schema.String,
  fairPrice: Schema.NullOr(Money),
  bid: Money,
  quantity: Money,
  collateral: Money,
  expectedProfit: Money,
  roiPercent: Money,
  exitPrice: Money,
  tolerance: Schema.optionalKey(Money)
})

const time = { at: Schema.Int, by: Schema.NullOr(Schema.String) }

const act = { ...time, botId: Schema.String }

const movement = { ...act, turn: Schema.Int, allowance: Money }

const BotEventSchema: Schema.Codec<BotEvent, unknown> = Schema.Union([
  Schema.TaggedStruct("BotCreated", {
    ...movement,
    companyId: Schema.String,
    userId: Schema.String,
    walletAddress: Schema.String,
    profile: Profile,
    amount: Money
  }),
  Schema.TaggedStruct("BotChanged", { ...movement, profile: Profile }),
  Schema.TaggedStruct("BotStarted", act),
  Schema.TaggedStruct("BotPaused", act),
  Schema.TaggedStruct("BotResumed", act),
  Schema.TaggedStruct("BotSuspended", { ...act, cause: Schema.Literals(SUSPENSION_CAUSES) }),
  Schema.TaggedStruct("BotTerminated", { ...movement, amount: Money }),
  Schema.TaggedStruct("BotFunded", { ...movement, amount: Money }),
  Schema.TaggedStruct("BotWithdrawn", { ...movement, amount: Money }),
  Schema.TaggedStruct("BotReturned", { ...movement, amount: Money }),
  Schema.TaggedStruct("BotDecided", {
    ...act,
    decisionId: Schema.String,
    orderId: Schema.String,
    dryRun: Schema.Boolean,
    input: KeptInput,
    decision: KeptDecision,
    charge: Schema.NullOr(ChargeSchema)
  }),
  Schema.TaggedStruct("BotGuardSet", {
    ...time,
    companyId: Schema.String,
    deadlineAt: Schema.NullOr(Schema.Int)
  })
])

const fromJson = Schema.decodeUnknownSync(Schema.fromJsonString(BotEventSchema))

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeBotEvent = (data: string): BotEvent => fromJson(data)
