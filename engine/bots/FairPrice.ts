/** The fair price of an asset, from its newest safe prices. */

import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import { divideNearest } from "../arena/FinePrice.ts"

/** The prices that a fair price is made of: the newest ones. */
export const FAIR_WINDOW = 64

/** The fewest prices that say anything. */
export const FEWEST_PRICES = 5

/**
 * What something is worth by its own past: the newest price, moved toward the mean of the last {@link FAIR_WINDOW} by
 * `level` (10⁻⁶, 0 to 1). Undefined with fewer than {@link FEWEST_PRICES}.
 *
 * It supposes that a price away from its mean comes back part of the way (Poterba and Summers, "Mean Reversion in Stock
 * Prices", 1988). Where prices are a random walk it is worth nothing, and says so: its mean error is then 0.
 *
 * @param prices - oldest first, the newest is the one that holds now; all of one unit
 */
export const fairPrice = (prices: ReadonlyArray<Amount>, level: Amount): Amount | undefined => {
  const newest = prices.at(-1)
  if (newest === undefined || prices.length < FEWEST_PRICES) return undefined
  const window = prices.slice(-FAIR_WINDOW)
  const count = BigInt(window.length)
  const sum = window.reduce((total, price) => total + price, 0n)
  return fromUnits(newest + divideNearest((sum - count * newest) * level, count * ONE))
}
