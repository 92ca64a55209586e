/** How a bid floats with the reference price up to its limit, and the reserve that it has to reach. */

import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { ceilDivide, floorDivide } from "../money/Rounding.ts"
import { type Commitment, limitPrice } from "./Commitment.ts"
import type { OrderTerms } from "./OrderTerms.ts"

/** The largest discount of a market maker: 0.01. */
export const MAX_MAKER_DISCOUNT = fromUnits(10_000n)

/** The discount of a market maker unless it is set: 0.0005. */
export const DEFAULT_MAKER_DISCOUNT = fromUnits(500n)

/** What an order's bids come to once its reference price is known. USD for one unit. */
export interface BidPricing {
  /** The least that the market maker sells for. */
  readonly reserve: Amount
  /** What a bid offers; at most its limit. */
  readonly offered: (commitment: Pick<Commitment, "proposedPrice" | "slippage">) => Amount
}

/**
 * Prices the bids on an order at its reference, by the rule that its terms carry.
 *
 * With a maker's discount d a bid floats with the reference up to its limit, and the market maker sells from a reserve a
 * little below: offered = min(limit, reference × proposed ÷ entry price), rounded down; reserve = reference × (1 − d),
 * rounded up. So a bid says how much above the market one pays, whatever the market does until the choice, and one at the
 * price has the discount to win.
 *
 * Without one, as orders were opened before, a bid offers its limit and the reserve is the reference.
 */
export const bidPricing = (
  { entryPrice, makerDiscount }: Pick<OrderTerms, "entryPrice" | "makerDiscount">,
  reference: Amount
): BidPricing =>
  makerDiscount === undefined
    ? { reserve: reference, offered: ({ proposedPrice, slippage }) => limitPrice(proposedPrice, slippage) }
    : {
        reserve: fromUnits(ceilDivide(reference * (ONE - makerDiscount), ONE)),
        offered: ({ proposedPrice, slippage }) => {
          const limit = limitPrice(proposedPrice, slippage)
          const floated = floorDivide(reference * proposedPrice, entryPrice)
          return floated < limit ? fromUnits(floated) : limit
        }
      }
