import { Schema } from "effect"
import { AccountId } from "../ledger/Account.ts"
import { Amount, fromUnits, ONE } from "../money/Amount.ts"
import { floorDivide } from "../money/Rounding.ts"
import { ASSET_TYPES } from "./AssetType.ts"

export const COMMITMENT_STATUSES = ["active", "won", "lost", "settled"] as const

/** active → won or lost at the choice; won → settled when its profit is posted. */
export type CommitmentStatus = (typeof COMMITMENT_STATUSES)[number]

export const TraderType = Schema.Literals(["human", "machine"])
export type TraderType = typeof TraderType.Type

/**
 * Why a commitment did not win.
 *
 * - `outbid`: another one stood before it in the ranking.
 * - `below_reference`: it offers less than the reserve, which is the reference price less the maker's discount.
 * - `ARENA_007`: its owner is machine and machines were too few (the 3/4 rule).
 * - `void`: the order could not be priced; the principal came back.
 */
export const LossReason = Schema.Literals(["outbid", "below_reference", "ARENA_007", "void"])
export type LossReason = typeof LossReason.Type

/** Who commits, as it was when the commitment was accepted. */
export const Trader = Schema.Struct({
  /** The company: its users and machines count as one in the ranking. */
  owner: Schema.String,
  userId: Schema.String,
  address: Schema.String,
  type: TraderType,
  /** The machine trader it commits as, if any. */
  botId: Schema.NullOr(Schema.String),
  /** Where its collateral is held. */
  account: AccountId,
  /** What its machine may still lose; null where no such limit exists. */
  allowance: Schema.NullOr(AccountId)
})
export type Trader = typeof Trader.Type

/** A bid on an order, with the collateral that backs it. Specification 2.17. */
export const Commitment = Schema.Struct({
  commitmentId: Schema.String,
  orderId: Schema.String,
  /** Numbers the order's commitments, ascending from 1; the numbers of refused ones may be missing. */
  ordinal: Schema.Int,
  assetType: Schema.Literals(ASSET_TYPES),
  trader: Trader,
  /** USD for one unit. */
  proposedPrice: Amount,
  /** The take-profit price, USD for one unit. */
  exitPrice: Amount,
  quantity: Amount,
  /** A fraction, at most 0.05, in 10⁻⁶. */
  slippage: Amount,
  swapExecutor: Schema.String,
  collateral: Amount,
  /** When it was accepted, in milliseconds since 1970. */
  acceptedAt: Schema.Int,
  status: Schema.Literals(COMMITMENT_STATUSES),
  reason: Schema.NullOr(LossReason),
  /** Posted at settlement; |profit| ≤ collateral. */
  profit: Amount,
  /** The trader's share of what the collateral earned. */
  yieldEarned: Amount,
  /** The decision of a bot that it carries out, where it does: an order takes one for each. */
  decisionId: Schema.optionalKey(Schema.String)
})
export type Commitment = typeof Commitment.Type

/** The most its bidder pays for one unit: proposed × (1 + slippage), rounded down. */
export const limitPrice = (proposed: Amount, slippage: Amount): Amount =>
  fromUnits(floorDivide(proposed * (ONE + slippage), ONE))

/** The ledger's id of the hold behind a commitment. */
export const collateralHold = (commitmentId: string): string => `collateral/${commitmentId}`

/** The ledger's id of the hold on its machine's allowance. */
export const allowanceHold = (commitmentId: string): string => `allowance/${commitmentId}`
