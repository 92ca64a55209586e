/** The bid that would have earned most, seen from the end. */

import { Result } from "effect"
import { bidPricing } from "../arena/BidPricing.ts"
import { affordableQuantity, collateralOf } from "../arena/Collateral.ts"
import { type Commitment, limitPrice } from "../arena/Commitment.ts"
import { profitOf } from "../arena/SettlementPrice.ts"
import { MAX_SLIPPAGE } from "../arena/Submission.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import { ceilDivide } from "../money/Rounding.ts"
import { chooseAmong, type RecordedAuction } from "./PublishedAuction.ts"

/** A bid at the largest tolerance, which wins as cheaply as can be and was held to the settlement. */
export interface BestBid {
  /** The least price for a unit that wins. */
  readonly proposedPrice: Amount
  readonly quantity: Amount
  readonly clearingPrice: Amount
  /** Above 0. */
  readonly profit: Amount
}

/** What a bid is looked for with. */
export interface BestBidSearch {
  readonly auction: RecordedAuction
  readonly rivals: ReadonlyArray<Commitment>
  /** A commitment of the bidder, of which the price and the quantity do not count. */
  readonly bidder: Commitment
  readonly reference: Amount
  /** The mean that a winner without a take-profit sells at. */
  readonly exit: Amount
  /** The most collateral that it could have locked. */
  readonly budget: Amount
  readonly tieHash: (owner: string) => string
}

/** Units of the last place that a price may lie above the quotient that it is found by. */
const NEAR = 3n

/**
 * A winner pays the second price, whatever it bid: what it earns grows with its quantity wherever it earns at all. So the
 * best bid is of the largest quantity, and any price that wins. Undefined where no bid would have earned anything.
 */
export const bestBid = (search: BestBidSearch): BestBid | undefined => {
  const { auction, exit, reference } = search
  const { entryPrice } = auction.terms
  const quantity = largestQuantity(auction.terms, search.budget)
  const collateral = collateralOf(entryPrice, quantity)
  if (quantity === ZERO || Result.isFailure(collateral)) return undefined
  const attempt = (proposedPrice: bigint) => {
    const own: Commitment = {
      ...search.bidder,
      proposedPrice: fromUnits(proposedPrice),
      slippage: MAX_SLIPPAGE,
      quantity,
      collateral: collateral.success
    }
    const found = chooseAmong(auction, reference, [...search.rivals, own], search.tieHash)
    return found.winner === own.commitmentId && found.clearingPrice !== null
      ? { own, clearingPrice: found.clearingPrice }
      : undefined
  }
  const highest = attempt(entryPrice + entryPrice / 10n)
  if (highest === undefined) return undefined
  const profit = profitOf(highest.own, highest.clearingPrice, exit)
  if (profit <= 0n) return undefined
  const price = leastPrice(auction, reference, highest.clearingPrice, (proposed) => attempt(proposed) !== undefined)
  return {
    proposedPrice: price ?? highest.own.proposedPrice,
    quantity,
    clearingPrice: highest.clearingPrice,
    profit
  }
}

/** Whose offer is the clearing price beats or equals the rival that sets it: the least price is there or just above. */
const leastPrice = (
  { terms }: RecordedAuction,
  reference: Amount,
  clearing: Amount,
  wins: (proposed: bigint) => boolean
): Amount | undefined => {
  const { entryPrice, makerDiscount } = terms
  const { reserve } = bidPricing(terms, reference)
  const offered = clearing < reserve ? reserve : clearing
  const floated = makerDiscount === undefined ? ZERO : ceilDivide(offered * entryPrice, reference)
  const least = lowestWithLimit(offered > entryPrice ? offered : entryPrice)
  const from = floated > least ? floated : least
  for (let proposed = from; proposed <= from + NEAR; proposed += 1n) if (wins(proposed)) return fromUnits(proposed)
  return undefined
}

/** The lowest price whose limit at the largest tolerance reaches this one. */
const lowestWithLimit = (limit: bigint): bigint => {
  const price = ceilDivide(limit * ONE, ONE + MAX_SLIPPAGE)
  return limitPrice(fromUnits(price), MAX_SLIPPAGE) < limit ? price + 1n : price
}

const largestQuantity = (
  { entryPrice, quantity }: Pick<RecordedAuction["terms"], "entryPrice" | "quantity">,
  budget: Amount
): Amount => {
  const affordable = affordableQuantity(entryPrice, budget)
  return affordable < quantity ? affordable : quantity
}
