import type { Amount } from "../money/Amount.ts"
import type { AssetType } from "./AssetType.ts"
import type { Commitment } from "./Commitment.ts"
import type { FairnessOutcome } from "./Fairness.ts"
import type { OrderTerms } from "./Order.ts"
import type { Standing } from "./Winner.ts"

/** What the vault paid for one commitment's collateral, in 10⁻⁶ USD, from its lock to its release. */
export interface CommitmentYield {
  readonly commitmentId: string
  /** The trader's share. */
  readonly trader: Amount
  readonly insurance: Amount
  readonly platform: Amount
  readonly tokenHolders: Amount
}

/** The reference price and what came of it. */
export interface Choice {
  /** The first recorded safe median at or after expiry, before the settlement date. */
  readonly reference: Amount
  readonly referenceAt: number
  readonly winner: string | null
  readonly clearingPrice: Amount | null
  readonly ranking: ReadonlyArray<Standing>
  readonly fairness: Omit<FairnessOutcome, "excluded">
}

export interface OrderOpened {
  readonly _tag: "OrderOpened"
  readonly at: number
  readonly terms: OrderTerms
}

export interface CommitmentSubmitted {
  readonly _tag: "CommitmentSubmitted"
  readonly at: number
  readonly commitment: Commitment
}

/** Expiry: no more commitments; those there stay active. */
export interface OrderClosed {
  readonly _tag: "OrderClosed"
  readonly at: number
  readonly orderId: string
}

export interface WinnerChosen {
  readonly _tag: "WinnerChosen"
  readonly at: number
  readonly orderId: string
  readonly choice: Choice
  readonly yields: ReadonlyArray<CommitmentYield>
}

/** The end of an order that was priced, or that nobody could or did win. */
export interface OrderSettled {
  readonly _tag: "OrderSettled"
  readonly at: number
  readonly orderId: string
  readonly assetType: AssetType
  readonly winner: { readonly commitmentId: string; readonly address: string } | null
  /** USD for one unit; null without a winner. */
  readonly price: Amount | null
  /** Whether the price is the winner's take-profit. */
  readonly takeProfit: boolean
  /** (price − clearing) × quantity within ± collateral; 0 without a winner. */
  readonly profit: Amount
  /** The traders' share of the yield over all the order's commitments. */
  readonly yieldDistributed: Amount
  readonly yields: ReadonlyArray<CommitmentYield>
  /** The key of the tie hash, so that anyone can recompute the choice. */
  readonly tieKey: string
}

export type VoidReason = "breaker_open_at_expiry" | "no_reference_price" | "no_settlement_price"

/** The end of an order that could not be priced: principal and yield come back, nobody wins or loses. */
export interface OrderVoided {
  readonly _tag: "OrderVoided"
  readonly at: number
  readonly orderId: string
  readonly assetType: AssetType
  readonly reason: VoidReason
  readonly yieldDistributed: Amount
  readonly yields: ReadonlyArray<CommitmentYield>
  readonly tieKey: string
}

/** Everything that can happen to an order. */
export type ArenaEvent = OrderOpened | CommitmentSubmitted | OrderClosed | WinnerChosen | OrderSettled | OrderVoided
