/** What a winner would have sold at, as far as the record tells. */

import type { Commitment } from "../arena/Commitment.ts"
import type { Median } from "../arena/Median.ts"
import { exitPrice, isFinal, referenceMedian } from "../arena/SettlementPrice.ts"
import { type Amount } from "../money/Amount.ts"
import { type RecordedAuction, unitsOrNull } from "./PublishedAuction.ts"

/** An exit price, and how sure it is. */
export interface KnownExit {
  /** USD for one unit. */
  readonly price: Amount
  /**
   * `recorded`: of all recorded prices, by the rule itself. `published`: follows from what was published of the real
   * winner. `estimated`: the record leaves it open, and this is the published settlement price.
   */
  readonly basis: "recorded" | "published" | "estimated"
}

/** The prices of an order at and after its expiry, in its own terms, and the one that became its reference. */
export interface OrderPrices {
  readonly medians: ReadonlyArray<Median>
  readonly reference: Median
}

/** The recorded prices of an auction that is to be chosen: undefined where they do not give its reference price. */
export const pricesAtChoice = (
  { published, terms }: RecordedAuction,
  medians: ReadonlyArray<Median>
): OrderPrices | undefined => {
  const reference = referenceMedian(medians, terms.expiryAt, terms.settlementAt)
  const recorded = unitsOrNull(published.reference_price)
  if (reference === undefined || (recorded !== null && recorded !== reference.price)) return undefined
  return { medians, reference }
}

/** Whether nothing of the prices is missing at the settlement, as far as can be seen: they give what was published. */
const areWhole = (
  { bids, published, terms: { settlementAt } }: RecordedAuction,
  { medians, reference }: OrderPrices
): boolean => {
  if (!isFinal(medians, settlementAt)) return false
  const winner = bids.find(({ commitmentId }) => commitmentId === published.winner_commitment_id)
  const settled = unitsOrNull(published.settlement_price)
  if (winner === undefined || settled === null) return true
  return exitPrice(winner, medians, reference.at, settlementAt).price === settled
}

/**
 * What is known without recorded prices. The published settlement price is the real winner's: its take-profit if the
 * price reached that, and the mean else, which everybody's is who set a take-profit at least as high.
 */
const publishedExit = (
  { bids, published }: RecordedAuction,
  { exitPrice: target }: Pick<Commitment, "exitPrice">
): KnownExit | undefined => {
  const winner = bids.find(({ commitmentId }) => commitmentId === published.winner_commitment_id)
  const [settled, reference] = [unitsOrNull(published.settlement_price), unitsOrNull(published.reference_price)]
  if (winner === undefined || settled === null || reference === null) return undefined
  if (target <= reference) return { price: target, basis: "published" }
  if (settled === winner.exitPrice) {
    return target <= settled ? { price: target, basis: "published" } : { price: settled, basis: "estimated" }
  }
  if (target <= settled) return { price: target, basis: "published" }
  return { price: settled, basis: target >= winner.exitPrice ? "published" : "estimated" }
}

/** What a commitment would have sold at had it won; undefined where nothing recorded tells. */
export const exitOf = (
  auction: RecordedAuction,
  commitment: Commitment,
  prices: OrderPrices | undefined
): KnownExit | undefined =>
  prices === undefined || !areWhole(auction, prices)
    ? publishedExit(auction, commitment)
    : {
        price: exitPrice(commitment, prices.medians, prices.reference.at, auction.terms.settlementAt).price,
        basis: "recorded"
      }
