/** A recorded auction as everybody saw it at each stage of its life, and sees it in a replay. */

import type { OrderStatus } from "../arena/Order.ts"
import type { RankedCommitment } from "../arena/Winner.ts"
import { toNumber } from "../money/Amount.ts"
import type { Amount } from "../money/Amount.ts"
import type { MarketFrameData, PublicOrder } from "./MarketFrame.ts"
import type { PublishedAuction, PublishedBid } from "./PublishedAuction.ts"

/** What nobody knows of an order before its choice. */
const OF_CHOICE = [
  "reference_price",
  "reserve_price",
  "clearing_price",
  "settlement_price",
  "winner_commitment_id",
  "void_reason",
  "tie_key",
  "fairness"
] as const satisfies ReadonlyArray<keyof PublicOrder>

/** What nobody knows of a bid before the choice. */
const OF_RANKING = [
  "owner_id",
  "slippage_tolerance",
  "accepted_at",
  "rank",
  "score",
  "loss_reason"
] as const satisfies ReadonlyArray<keyof PublishedBid>

const SEALED = ["proposed_entry_price", "expected_exit_price"] as const satisfies ReadonlyArray<keyof PublishedBid>

const withheld = <Name extends string>(names: ReadonlyArray<Name>): Readonly<Record<Name, null>> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>

const BEFORE_CHOICE = withheld(OF_CHOICE)
const BEFORE_RANKING = withheld(OF_RANKING)
const WHILE_SEALED = withheld(SEALED)

/** An order that takes commitments. */
export const liveOrder = (published: PublishedAuction, status: OrderStatus): PublicOrder => {
  const { commitments: _, ...order } = published
  return { ...order, ...BEFORE_CHOICE, status }
}

/** What a choice came to, and what is known with it. */
export interface Chosen {
  readonly reference: Amount
  readonly reserve: Amount
  readonly winner: string | null
  readonly clearingPrice: Amount | null
}

const numberOf = (amount: Amount | null): number | null => (amount === null ? null : toNumber(amount))

/** An order after its choice. Its tie key stays secret until the end. */
export const chosenOrder = (published: PublishedAuction, chosen: Chosen): PublicOrder => ({
  ...liveOrder(published, "settling"),
  reference_price: toNumber(chosen.reference),
  reserve_price: toNumber(chosen.reserve),
  clearing_price: numberOf(chosen.clearingPrice),
  winner_commitment_id: chosen.winner,
  fairness: published.fairness
})

/** An order at its end: settled at a price, or void. */
export const endedOrder = (
  published: PublishedAuction,
  chosen: Chosen | undefined,
  settlementPrice: Amount | null
): PublicOrder => ({
  ...(chosen === undefined ? liveOrder(published, "settled") : chosenOrder(published, chosen)),
  status: "settled",
  ...(published.void_reason !== null && { winner_commitment_id: null, clearing_price: null }),
  settlement_price: numberOf(settlementPrice),
  void_reason: published.void_reason,
  tie_key: published.tie_key
})

/** The order of a bid, and whether its bids are sealed. */
type BidOrder = Pick<PublishedAuction, "order_id" | "bids">

/** A bid that competes, as others see it. */
export const competingBid = (order: BidOrder, bid: PublishedBid): MarketFrameData["commitment_updated"] => ({
  order_id: order.order_id,
  ...bid,
  ...BEFORE_RANKING,
  status: "active",
  ...(order.bids === "sealed" ? WHILE_SEALED : {})
})

/** A bid after the choice, in its place of the ranking. */
export const rankedBid = (
  order: BidOrder,
  bid: PublishedBid,
  { reason, score }: Pick<RankedCommitment, "reason" | "score">,
  rank: number
): MarketFrameData["commitment_updated"] => ({
  order_id: order.order_id,
  ...bid,
  status: reason === null ? "won" : "lost",
  rank,
  score: String(score),
  loss_reason: reason
})
