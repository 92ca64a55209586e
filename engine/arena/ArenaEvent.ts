import { Schema } from "effect"
import { Amount } from "../money/Amount.ts"
import { Commitment } from "./Commitment.ts"
import { OrderTerms } from "./OrderTerms.ts"
import { RankedCommitment } from "./Winner.ts"
import { FairnessCount } from "./Fairness.ts"
import { ASSET_TYPES } from "./AssetType.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/** What the vault paid for one commitment's collateral, in 10⁻⁶ USD, from its lock to its release. */
export const CommitmentYield = Schema.Struct({
  commitmentId: Schema.String,
  /** The trader's share. */
  trader: Amount,
  insurance: Amount,
  platform: Amount,
  tokenHolders: Amount
})
export type CommitmentYield = typeof CommitmentYield.Type

/** The reference price and what came of it. */
export const Choice = Schema.Struct({
  /** The first recorded safe median at or after expiry, before the settlement date. */
  reference: Amount,
  referenceAt: Schema.Int,
  winner: Schema.NullOr(Schema.String),
  clearingPrice: Schema.NullOr(Amount),
  ranking: Schema.Array(RankedCommitment),
  fairness: FairnessCount
})
export type Choice = typeof Choice.Type

export const OrderOpened = Schema.TaggedStruct("OrderOpened", {
  at: Schema.Int,
  terms: OrderTerms
})
export type OrderOpened = typeof OrderOpened.Type

export const CommitmentSubmitted = Schema.TaggedStruct("CommitmentSubmitted", {
  at: Schema.Int,
  commitment: Commitment
})
export type CommitmentSubmitted = typeof CommitmentSubmitted.Type

/** Expiry: no more commitments; those there stay active. */
export const OrderClosed = Schema.TaggedStruct("OrderClosed", {
  at: Schema.Int,
  orderId: Schema.String
})
export type OrderClosed = typeof OrderClosed.Type

export const WinnerChosen = Schema.TaggedStruct("WinnerChosen", {
  at: Schema.Int,
  orderId: Schema.String,
  choice: Choice,
  yields: Schema.Array(CommitmentYield)
})
export type WinnerChosen = typeof WinnerChosen.Type

/** The end of an order that was priced, or that nobody could or did win. */
export const OrderSettled = Schema.TaggedStruct("OrderSettled", {
  at: Schema.Int,
  orderId: Schema.String,
  assetType: Schema.Literals(ASSET_TYPES),
  winner: Schema.NullOr(Schema.Struct({ commitmentId: Schema.String, address: Schema.String })),
  /** USD for one unit; null without a winner. */
  price: Schema.NullOr(Amount),
  /** Whether the price is the winner's take-profit. */
  takeProfit: Schema.Boolean,
  /** (price − clearing) × quantity within ± collateral; 0 without a winner. */
  profit: Amount,
  /** The traders' share of the yield over all the order's commitments. */
  yieldDistributed: Amount,
  yields: Schema.Array(CommitmentYield),
  /** The key of the tie hash, so that anyone can recompute the choice. */
  tieKey: Schema.String
})
export type OrderSettled = typeof OrderSettled.Type

export const VoidReason = Schema.Literals(["breaker_open_at_expiry", "no_reference_price", "no_settlement_price"])
export type VoidReason = typeof VoidReason.Type

/** The end of an order that could not be priced: principal and yield come back, nobody wins or loses. */
export const OrderVoided = Schema.TaggedStruct("OrderVoided", {
  at: Schema.Int,
  orderId: Schema.String,
  assetType: Schema.Literals(ASSET_TYPES),
  reason: VoidReason,
  yieldDistributed: Amount,
  yields: Schema.Array(CommitmentYield),
  tieKey: Schema.String
})
export type OrderVoided = typeof OrderVoided.Type

/** Everything that can happen to an order. */
export const ArenaEvent = Schema.Union([
  OrderOpened,
  CommitmentSubmitted,
  OrderClosed,
  WinnerChosen,
  OrderSettled,
  OrderVoided
])
export type ArenaEvent = typeof ArenaEvent.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeArenaEvent = eventDecoder(ArenaEvent)
