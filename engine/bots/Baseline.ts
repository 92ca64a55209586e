/** Random bidders, as busy as a bot, to compare a backtest with. */

import { evaluate } from "./Evaluation.ts"
import type { Policy } from "./Backtest.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"

/** Draws an integer in [0, bound). */
export type Draw = (bound: number) => number

/** The farthest that a random bid goes above the entry price, in 10⁻⁶ of it. */
const HIGHEST_PREMIUM = 20_000

/** Never commits: what a strategy has to be better than to be worth its risk. */
export const nothing: Policy = (input) => ({ ...evaluate(input), code: "roi_too_low", reason: "It buys nothing." })

const MILLION = 1_000_000

/**
 * Commits to a drawn part of the orders, and bids up to 2 % above the entry price, with the strategy's own size: what a
 * strategy that knows nothing, and is as busy, would have earned by luck.
 *
 * @param rate - how many of a million orders that it has the collateral for
 */
export const random =
  (draw: Draw, rate: number): Policy =>
  (input) => {
    const decision = evaluate({ ...input, prices: [] })
    const { entryPrice } = input.order
    const commits = draw(MILLION) < rate
    const bid = fromUnits(entryPrice + (entryPrice * BigInt(draw(HIGHEST_PREMIUM))) / ONE)
    const exitPrice: Amount = fromUnits(decision.exitPrice - decision.bid + bid)
    const drawn = { ...decision, bid, exitPrice }
    return commits && decision.quantity > 0n
      ? { ...drawn, code: "commit", reason: "It was drawn." }
      : { ...drawn, code: "roi_too_low", reason: "It was not drawn." }
  }
