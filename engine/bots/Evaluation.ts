/** A bot's decision about an order: a pure function of its strategy, the order, prices, balances and what its module asked for. */

import { Result, Schema } from "effect"
import { affordableQuantity, COLLATERAL_PER_TEN_THOUSAND, collateralOf } from "../arena/Collateral.ts"
import { limitPrice } from "../arena/Commitment.ts"
import { Amount, fromUnits, MAX, ONE, ZERO } from "../money/Amount.ts"
import { ceilDivide, clamp, floorDivide, truncateDivide } from "../money/Rounding.ts"
import { fairPrice } from "./FairPrice.ts"
import { Strategy } from "./Strategy.ts"
import { ASSET_TYPES } from "../arena/AssetType.ts"

export const EvaluatedOrder = Schema.Struct({
  orderId: Schema.String,
  assetType: Schema.Literals(ASSET_TYPES),
  entryPrice: Amount,
  quantity: Amount,
  expiryAt: Schema.Int,
  /** As in the order's terms: without one its bids are prices, and do not float with the reference. */
  makerDiscount: Schema.optionalKey(Amount)
})
export type EvaluatedOrder = typeof EvaluatedOrder.Type

/** A bid that a bot's own module asked for. Nothing else tells what a module answers, so it is recorded as it came. */
export const AskedBid = Schema.Struct({
  /** The module's file. */
  module: Schema.String,
  /** SHA-256 of that file as it was loaded, in hex. */
  digest: Schema.String,
  proposedPrice: Amount,
  exitPrice: Amount,
  quantity: Amount,
  /** In 10⁻⁶ of the proposed price. */
  tolerance: Amount
})
export type AskedBid = typeof AskedBid.Type

/** Everything that one evaluation is decided on. It is kept with the decision, which can be made again from it alone. */
export const EvaluationInput = Schema.Struct({
  /** Milliseconds since 1970. */
  at: Schema.Int,
  strategy: Strategy,
  order: EvaluatedOrder,
  /** Safe medians of the order's own price, oldest first, the newest holds now: of options the premium. */
  prices: Schema.Array(Amount),
  /** The bot's collateral that nothing holds. */
  freeCollateral: Amount,
  /** What it may still lock or lose before its loss limit. */
  lossBudget: Amount,
  /** Whether it trades the order's asset type. */
  capable: Schema.Boolean,
  /** Whether a breaker keeps commitments out. */
  halted: Schema.Boolean,
  /** By how much of the edge the bid is lowered, in 10⁻⁶ of it: drawn under a key, so that bots alike do not bid alike. */
  shade: Amount,
  /** What the bot's module asked for: then no prices are looked at, and no shade is drawn. */
  asked: Schema.optionalKey(AskedBid)
})
export type EvaluationInput = typeof EvaluationInput.Type

export const DECISION_CODES = [
  "commit",
  "window_closed",
  "breaker_open",
  "not_capable",
  "price_missing",
  "collateral_missing",
  "loss_limit",
  "collateral_cap",
  "below_entry",
  "roi_too_low"
] as const

/** Why a bot commits or does not. */
export type DecisionCode = (typeof DECISION_CODES)[number]

/** What a bot would do about an order, and why. Specification 4.4, POST .../{bot_id}/evaluate. */
export const Decision = Schema.Struct({
  code: Schema.Literals(DECISION_CODES),
  /** A sentence for the bot's owner. */
  reason: Schema.String,
  fairPrice: Schema.NullOr(Amount),
  /** What it proposes for one unit, and the price at which it takes its profit. */
  bid: Amount,
  quantity: Amount,
  collateral: Amount,
  /** clamp((fair − current median) × quantity, ±collateral), toward zero. */
  expectedProfit: Amount,
  /** 100 × expected profit ÷ collateral, in 10⁻⁶, toward zero. */
  roiPercent: Amount,
  exitPrice: Amount,
  /** How far its bid floats above what it proposes, in 10⁻⁶ of it; none where bids do not float. */
  tolerance: Schema.optionalKey(Amount)
})
export type Decision = typeof Decision.Type

/** How far above what it proposes a bot's bid may float with the market: 2 %. */
export const BID_TOLERANCE = fromUnits(20_000n)

const TEN_THOUSAND = 10_000n

/** The largest part of its edge that a bid leaves out, in 10⁻⁶. */
export const MAX_SHADE = fromUnits(50_000n)

/** Decides about an order. The same input, the same decision, on every runtime. */
export const evaluate = (input: EvaluationInput): Decision =>
  input.asked === undefined ? evaluateOrder(input) : judgeAsked(input, input.asked)

const evaluateOrder = (input: EvaluationInput): Decision => {
  const { order, prices, strategy } = input
  const median = prices.at(-1)
  const fair = fairPrice(prices, strategy.riskLevel)
  const stake = stakeOf(input)
  const quantity = largestQuantity(order, stake.collateral)
  const collateral = quantity === ZERO ? ZERO : Result.getOrElse(collateralOf(order.entryPrice, quantity), () => ZERO)
  const expectedProfit =
    fair === undefined || median === undefined
      ? ZERO
      : fromUnits(clamp(truncateDivide((fair - median) * quantity, ONE), -collateral, collateral))
  const roiPercent = collateral === ZERO ? ZERO : fromUnits(truncateDivide(100n * ONE * expectedProfit, collateral))
  const bid = bidOf(input, fair, median)
  const values = { fairPrice: fair ?? null, bid, quantity, collateral, expectedProfit, roiPercent }
  const [code, reason] = verdict(input, { fair, roiPercent, quantity, limit: stake.limit })
  if (order.makerDiscount === undefined) return { code, reason, ...values, exitPrice: exitPriceOf(order, bid) }
  const exitPrice = exitPriceOf(order, limitPrice(bid, BID_TOLERANCE))
  return { code, reason, ...values, exitPrice, tolerance: BID_TOLERANCE }
}

/** What a module asks for is taken as it is, within the bot's limits. What it expects to earn is what it would take its profit at. */
const judgeAsked = (input: EvaluationInput, asked: AskedBid): Decision => {
  const { exitPrice, proposedPrice: bid, quantity, tolerance } = asked
  const collateral = Result.getOrElse(collateralOf(input.order.entryPrice, quantity), () => MAX)
  const stake = stakeOf(input)
  const expectedProfit = fromUnits(clamp(truncateDivide((exitPrice - bid) * quantity, ONE), -collateral, collateral))
  const roiPercent = collateral === ZERO ? ZERO : fromUnits(truncateDivide(100n * ONE * expectedProfit, collateral))
  const code = whyNotAtAll(input) ?? (collateral > stake.collateral ? stake.limit : "commit")
  const reason = ASKED_REASONS[code] ?? REASONS[code]
  return { code, reason, fairPrice: null, bid, quantity, collateral, expectedProfit, roiPercent, exitPrice, tolerance }
}

/** Whether losses alone leave a bot too little for the smallest quantity of an order: nothing that ends lets it commit. */
export const isSpentOn = ({ lossBudget, order }: EvaluationInput, { code }: Decision): boolean =>
  code === "loss_limit" && affordableQuantity(order.entryPrice, lossBudget) === ZERO

interface Stake {
  readonly collateral: Amount
  readonly limit: "collateral_missing" | "loss_limit" | "collateral_cap"
}

/** The most that may be locked, and what limits it. */
const stakeOf = ({ freeCollateral, lossBudget, strategy }: EvaluationInput): Stake => {
  const limits: ReadonlyArray<Stake> = [
    { limit: "collateral_missing", collateral: freeCollateral },
    { limit: "loss_limit", collateral: lossBudget },
    { limit: "collateral_cap", collateral: strategy.maxCollateralPerTrade }
  ]
  return limits.reduce((least, each) => (each.collateral < least.collateral ? each : least))
}

/** The largest quantity of the order whose collateral is at most this. */
const largestQuantity = ({ entryPrice, quantity }: EvaluatedOrder, collateral: Amount): Amount => {
  const affordable = affordableQuantity(entryPrice, collateral)
  return affordable < quantity ? affordable : quantity
}

/**
 * The entry price, raised by the shaded part by which the fair price is above the newest, at most by a tenth: a bid that
 * floats pays that much above the market at the choice. One that does not is the fair price itself, shaded.
 */
const bidOf = (
  { order: { entryPrice, makerDiscount }, shade }: EvaluationInput,
  fair: Amount | undefined,
  median: Amount | undefined
): Amount => {
  const basis = makerDiscount === undefined ? entryPrice : median
  if (fair === undefined || basis === undefined || fair <= basis) return entryPrice
  const edge = fair - basis - ceilDivide((fair - basis) * shade, ONE)
  const raise = floorDivide(entryPrice * edge, basis)
  return fromUnits(clamp(entryPrice + raise, entryPrice, entryPrice + entryPrice / 10n))
}

/** Where the profit reaches the collateral, which is the most that is paid, for who buys at this price. */
const exitPriceOf = ({ entryPrice }: EvaluatedOrder, paid: Amount): Amount =>
  fromUnits(paid + ceilDivide(entryPrice * COLLATERAL_PER_TEN_THOUSAND, TEN_THOUSAND))

interface Considered {
  readonly fair: Amount | undefined
  readonly roiPercent: Amount
  readonly quantity: Amount
  readonly limit: Stake["limit"]
}

const REASONS: Readonly<Record<DecisionCode, string>> = {
  commit: "The expected return reaches the strategy's least return.",
  window_closed: "The order takes no more commitments.",
  breaker_open: "Trading of this asset type is paused by a circuit breaker.",
  not_capable: "The bot does not trade this asset type: add it to its capabilities.",
  price_missing: "There are too few recent prices to tell what it is worth.",
  collateral_missing: "The bot has no free collateral: fund it, or wait for its commitments to settle.",
  loss_limit: "The bot may lose no more: its loss limit is reached.",
  collateral_cap: "maxCollateralPerTrade does not reach for the smallest quantity of this order.",
  below_entry: "It is worth less than the order's entry price, below which no bid is taken.",
  roi_too_low: "The expected return is below the strategy's least return."
}

/** Where a module asked, which may ask for less. */
const ASKED_REASONS: Partial<Readonly<Record<DecisionCode, string>>> = {
  commit: "The bot's module asks for this bid.",
  collateral_missing: "The bid needs more collateral than the bot has free: fund it, or let its module ask for less.",
  loss_limit: "The bid could lose more than the bot still may: raise its loss limit, or let its module ask for less.",
  collateral_cap: "The bid needs more collateral than maxCollateralPerTrade allows."
}

const verdict = (input: EvaluationInput, considered: Considered): readonly [DecisionCode, string] => {
  const code = codeOf(input, considered)
  return [code, REASONS[code]]
}

/** What keeps a bot from committing to an order whatever it would bid. */
const whyNotAtAll = ({ at, capable, halted, order }: EvaluationInput): DecisionCode | undefined => {
  if (at >= order.expiryAt) return "window_closed"
  if (halted) return "breaker_open"
  return capable ? undefined : "not_capable"
}

const codeOf = (input: EvaluationInput, { fair, limit, quantity, roiPercent }: Considered): DecisionCode => {
  const { order, strategy } = input
  const barred = whyNotAtAll(input)
  if (barred !== undefined) return barred
  if (fair === undefined) return "price_missing"
  if (quantity === ZERO) return limit
  if (order.makerDiscount === undefined && fair < order.entryPrice) return "below_entry"
  return roiPercent > 0n && roiPercent >= strategy.minRoiPct ? "commit" : "roi_too_low"
}
