/** Whether the rules make of the recorded bids what was published. */

import { type Competition } from "../arena/Winner.ts"
import {
  chooseAmong,
  type PublishedAuction,
  type RecordedAuction,
  type TieHash,
  unitsOrNull
} from "./PublishedAuction.ts"

/**
 * - `same`: the winner, its price and the whole ranking are as published.
 * - `different`: they are not.
 * - `unchosen`: there was no choice to make again: nobody committed, or the order was void.
 */
export type Reproduction = "same" | "different" | "unchosen"

const isRankingOf = ({ commitments }: PublishedAuction, { ranking }: Competition): boolean => {
  if (commitments.length !== ranking.length) return false
  const published = new Map(commitments.map((bid) => [bid.commitment_id, bid]))
  return ranking.every(({ commitmentId, owner, reason, score }, place) => {
    const bid = published.get(commitmentId)
    return (
      bid !== undefined &&
      bid.owner_id === owner &&
      bid.rank === place + 1 &&
      bid.score === String(score) &&
      bid.loss_reason === reason
    )
  })
}

/** Makes the choice of a recorded auction again with nothing changed, and compares it with what was published. */
export const reproduce = (auction: RecordedAuction, tieHash: TieHash): Reproduction => {
  const { published } = auction
  const reference = unitsOrNull(published.reference_price)
  const key = published.tie_key
  if (reference === null || key === null || published.void_reason !== null) return "unchosen"
  const found = chooseAmong(auction, reference, auction.bids, (owner) => tieHash(key, owner))
  const isSame =
    found.winner === published.winner_commitment_id &&
    found.clearingPrice === unitsOrNull(published.clearing_price) &&
    isRankingOf(published, found)
  return isSame ? "same" : "different"
}
