/** What became of an auction in a replay, beside what really became of it. */

import type { AssetType } from "../arena/AssetType.ts"
import type { LossReason } from "../arena/Commitment.ts"
import type { Amount } from "../money/Amount.ts"
import type { BestBid } from "./BestBid.ts"
import type { KnownExit } from "./ExitKnowledge.ts"
import { type TieHash, unitsOrNull } from "./PublishedAuction.ts"
import type { ReplayedAuction, ReplayedSettlement } from "./ReplayedAuction.ts"
import { reproduce, type Reproduction } from "./Reproduction.ts"

/** One of the program's own bids, in its place. */
export interface OwnBid {
  readonly commitmentId: string
  readonly acceptedAt: number
  readonly proposedPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
  readonly exitPrice: Amount
  readonly collateral: Amount
  /** Its place among all, from 1; null without a choice. */
  readonly rank: number | null
  /** Why it lost; null where it won. */
  readonly reason: LossReason | null
}

/**
 * How an auction ended in the replay.
 *
 * - `settled`, `void`: as the real one.
 * - `undecided`: nothing recorded tells the reference price, so that nobody can say who would have won.
 * - `unpriced`: a bid won, and nothing recorded tells what it sold at.
 */
export type ReplayEnd = "settled" | "void" | "undecided" | "unpriced"

export interface AuctionOutcome {
  readonly orderId: string
  readonly assetType: AssetType
  readonly asset: string
  readonly openedAt: number
  readonly settlementAt: number
  readonly quantity: Amount
  readonly entryPrice: Amount
  readonly end: ReplayEnd
  /** Whether the rules make of the recorded bids, with nothing changed, what was published. */
  readonly reproduction: Reproduction
  readonly published: {
    readonly winner: string | null
    readonly clearingPrice: Amount | null
    readonly settlementPrice: Amount | null
  }
  readonly referencePrice: Amount | null
  /** With the program's bids among the others. */
  readonly winner: string | null
  readonly clearingPrice: Amount | null
  readonly own: ReadonlyArray<OwnBid>
  readonly won: boolean
  /** How sure the settlement price is; null where there is none. */
  readonly basis: KnownExit["basis"] | null
  readonly settlementPrice: Amount | null
  /** 0 where no own bid won; null where nothing recorded tells it. */
  readonly profit: Amount | null
  readonly best: BestBid | null
  /** The trader's money when the auction had ended. */
  readonly balance: Amount
  readonly endedAt: number
}

const ownBids = ({ choice, own }: ReplayedAuction): ReadonlyArray<OwnBid> => {
  const places = new Map(
    choice?.competition.ranking.map(({ commitmentId, reason }, at) => [commitmentId, { at, reason }])
  )
  return own.map(({ acceptedAt, collateral, commitmentId, exitPrice, proposedPrice, quantity, slippage }) => {
    const place = places.get(commitmentId)
    return {
      commitmentId,
      acceptedAt,
      proposedPrice,
      quantity,
      slippage,
      exitPrice,
      collateral,
      rank: place === undefined ? null : place.at + 1,
      reason: place === undefined ? "void" : place.reason
    }
  })
}

const endOf = ({ choice, own, recorded }: ReplayedAuction, profit: Amount | null): ReplayEnd => {
  if (recorded.published.void_reason !== null) return "void"
  if (choice === undefined) return own.length === 0 ? "settled" : "undecided"
  return profit === null ? "unpriced" : "settled"
}

/** Tells what became of an auction that has ended, with the trader's money then. */
export const outcomeOf = (
  auction: ReplayedAuction,
  {
    balance,
    endedAt,
    settlement,
    tieHash
  }: {
    readonly settlement: ReplayedSettlement
    readonly balance: Amount
    readonly endedAt: number
    readonly tieHash: TieHash
  }
): AuctionOutcome => {
  const { choice, recorded } = auction
  const { published, terms } = recorded
  const { asset, assetType, entryPrice, openedAt, orderId, quantity, settlementAt } = terms
  const isVoid = published.void_reason !== null
  return {
    orderId,
    assetType,
    asset,
    openedAt,
    settlementAt,
    quantity,
    entryPrice,
    end: endOf(auction, settlement.profit),
    reproduction: reproduce(recorded, tieHash),
    published: {
      winner: published.winner_commitment_id,
      clearingPrice: unitsOrNull(published.clearing_price),
      settlementPrice: unitsOrNull(published.settlement_price)
    },
    referencePrice: choice?.reference ?? null,
    winner: isVoid ? null : (choice?.winner ?? null),
    clearingPrice: isVoid ? null : (choice?.clearingPrice ?? null),
    own: ownBids(auction),
    won: !isVoid && choice?.won !== undefined,
    basis: settlement.basis,
    settlementPrice: settlement.price,
    profit: settlement.profit,
    best: settlement.best ?? null,
    balance,
    endedAt
  }
}
