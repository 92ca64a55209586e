import type { AccountId } from "../ledger/Account.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { floorDivide } from "../money/Rounding.ts"
import type { AssetType } from "./AssetType.ts"

export const COMMITMENT_STATUSES = ["active", "won", "lost", "settled"] as const

/** active → won or lost at the choice; won → settled when its profit is posted. */
export type CommitmentStatus = (typeof COMMITMENT_STATUSES)[number]

export type TraderType = "human" | "machine"

/**
 * Why a commitment did not win.
 *
 * - `outbid`: another one stood before it in the ranking.
 * - `below_reference`: it offers less than the reserve, which is the reference price less the maker's discount.
 * - `ARENA_007`: its owner is machine and machines were too few (the 3/4 rule).
 * - `void`: the order could not be priced; the principal came back.
 */
export type LossReason = "outbid" | "below_reference" | "ARENA_007" | "void"

/** Who commits, as it was when the commitment was accepted. */
export interface Trader {
  /** The company: its users and machines count as one in the ranking. */
  readonly owner: string
  readonly userId: string
  readonly address: string
  readonly type: TraderType
  /** The machine trader it commits as, if any. */
  readonly botId: string | null
  /** Where its collateral is held. */
  readonly account: AccountId
  /** What its machine may still lose; null where no such limit exists. */
  readonly allowance: AccountId | null
}

/** A bid on an order, with the collateral that backs it. Specification 2.17. */
export interface Commitment {
  readonly commitmentId: string
  readonly orderId: string
  /** Numbers the order's commitments, ascending from 1; the numbers of refused ones may be missing. */
  readonly ordinal: number
  readonly assetType: AssetType
  readonly trader: Trader
  /** USD for one unit. */
  readonly proposedPrice: Amount
  /** The take-profit price, USD for one unit. */
  readonly exitPrice: Amount
  readonly quantity: Amount
  /** A fraction, at most 0.05, in 10⁻⁶. */
  readonly slippage: Amount
  readonly swapExecutor: string
  readonly collateral: Amount
  /** When it was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number
  readonly status: CommitmentStatus
  readonly reason: LossReason | null
  /** Posted at settlement; |profit| ≤ collateral. */
  readonly profit: Amount
  /** The trader's share of what the collateral earned. */
  readonly yieldEarned: Amount
  /** The decision of a bot that it carries out, where it does: an order takes one for each. */
  readonly decisionId?: string
}

/** The most its bidder pays for one unit: proposed × (1 + slippage), rounded down. */
export const limitPrice = (proposed: Amount, slippage: Amount): Amount =>
  fromUnits(floorDivide(proposed * (ONE + slippage), ONE))

/** The ledger's id of the hold behind a commitment. */
export const collateralHold = (commitmentId: string): string => `collateral/${commitmentId}`

/** The ledger's id of the hold on its machine's allowance. */
export const allowanceHold = (commitmentId: string): string => `allowance/${commitmentId}`
