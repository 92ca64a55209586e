import type { BotDecided } from "../bots/BotEvent.ts"
import type { DecisionCode } from "../bots/Evaluation.ts"
import type { Report } from "./LedgerAudit.ts"
import { naiveCollateral, naiveLimit, type Wire } from "./NaiveOrder.ts"

const MILLION = 1_000_000n
const PRICES = 64
const FEWEST = 5

/** How far above what it proposes a bid may float: 2 %. */
const TOLERANCE = 20_000n

/** 3.81 % in 10⁻⁶ of 10⁻⁴. */
const COLLATERAL_RATE = 381n * MILLION
const COLLATERAL_SCALE = 10_000n * MILLION * MILLION

const roundedUp = (part: bigint, whole: bigint): bigint => (part + whole - 1n) / whole

const least = (...some: ReadonlyArray<bigint>): bigint => some.reduce((low, one) => (one < low ? one : low))

const within = (value: bigint, low: bigint, high: bigint): bigint => (value < low ? low : value > high ? high : value)

/** A bot's decision made again from what was kept with it, by rules of its own. */
export const auditDecision = (decided: Wire<BotDecided>, report: Report): void => {
  const { decisionId, decision, input } = decided
  const { order } = input
  const wrong = (what: string): void => report("decision", `${decisionId} ${what}`)
  if (input.asked !== undefined) return auditAsked(decided, input.asked, wrong)
  const entry = BigInt(order.entryPrice)
  const prices = input.prices.map(BigInt)
  const newest = prices.at(-1)
  const fair = decision.fairPrice === null ? null : BigInt(decision.fairPrice)
  if (!isFair(prices, BigInt(input.strategy.riskLevel), fair)) wrong(`finds ${fair} fair`)

  const stakes = [input.freeCollateral, input.lossBudget, input.strategy.maxCollateralPerTrade].map(BigInt)
  const quantity = BigInt(decision.quantity)
  if (!isLargest(quantity, BigInt(order.quantity), entry, least(...stakes))) wrong(`takes ${quantity}`)
  const collateral = quantity === 0n ? 0n : naiveCollateral(entry, quantity)
  if (BigInt(decision.collateral) !== collateral) wrong(`locks ${decision.collateral}, not ${collateral}`)

  const moved = fair === null || newest === undefined ? 0n : ((fair - newest) * quantity) / MILLION
  const profit = within(moved, -collateral, collateral)
  if (BigInt(decision.expectedProfit) !== profit) wrong(`expects ${decision.expectedProfit}, not ${profit}`)
  const roi = collateral === 0n ? 0n : (100n * MILLION * profit) / collateral
  if (BigInt(decision.roiPercent) !== roi) wrong(`expects ${decision.roiPercent} percent, not ${roi}`)

  const floats = order.makerDiscount !== undefined
  const basis = floats ? newest : entry
  const bid = fair === null || basis === undefined ? entry : bidOf(entry, fair, basis, BigInt(input.shade))
  if (BigInt(decision.bid) !== bid) wrong(`bids ${decision.bid}, not ${bid}`)
  const tolerance = floats ? TOLERANCE : 0n
  if (BigInt(decision.tolerance ?? 0) !== tolerance) wrong(`tolerates ${decision.tolerance}, not ${tolerance}`)
  const exit = naiveLimit(bid, tolerance) + roundedUp(entry * 381n, 10_000n)
  if (BigInt(decision.exitPrice) !== exit) wrong(`exits at ${decision.exitPrice}, not ${exit}`)

  const code = codeOf(input, { fair, quantity, roi, stakes })
  if (decision.code !== code) wrong(`says ${decision.code}, not ${code}`)
}

/** What a module asked for is taken as it is, within what the bot may lock. */
const auditAsked = (
  { decision, input }: Wire<BotDecided>,
  asked: NonNullable<Wire<BotDecided>["input"]["asked"]>,
  wrong: (what: string) => void
): void => {
  const { order } = input
  const [bid, exit, quantity] = [asked.proposedPrice, asked.exitPrice, asked.quantity].map(BigInt)
  if (bid === undefined || exit === undefined || quantity === undefined) return
  const isAsAsked =
    decision.bid === asked.proposedPrice &&
    decision.exitPrice === asked.exitPrice &&
    decision.quantity === asked.quantity &&
    decision.tolerance === asked.tolerance &&
    decision.fairPrice === null
  if (!isAsAsked) wrong("is not what the module asked for")
  if (input.prices.length > 0 || input.shade !== "0") wrong("looks at prices that a module looks at itself")
  const collateral = naiveCollateral(BigInt(order.entryPrice), quantity)
  if (BigInt(decision.collateral) !== collateral) wrong(`locks ${decision.collateral}, not ${collateral}`)
  const profit = within(((exit - bid) * quantity) / MILLION, -collateral, collateral)
  if (BigInt(decision.expectedProfit) !== profit) wrong(`expects ${decision.expectedProfit}, not ${profit}`)
  const roi = collateral === 0n ? 0n : (100n * MILLION * profit) / collateral
  if (BigInt(decision.roiPercent) !== roi) wrong(`expects ${decision.roiPercent} percent, not ${roi}`)
  const stakes = [input.freeCollateral, input.lossBudget, input.strategy.maxCollateralPerTrade].map(BigInt)
  const most = least(...stakes)
  const code = barredBy(input) ?? (collateral > most ? LIMITS[stakes.indexOf(most)] : "commit")
  if (decision.code !== code) wrong(`says ${decision.code}, not ${code}`)
}

/** Whether a price is the nearest to the newest, moved by a part of its distance from the mean of the last ones. */
const isFair = (prices: ReadonlyArray<bigint>, level: bigint, told: bigint | null): boolean => {
  const newest = prices.at(-1)
  if (newest === undefined || prices.length < FEWEST) return told === null
  if (told === null) return false
  const last = prices.slice(-PRICES)
  const count = BigInt(last.length)
  let exact = newest * count * MILLION
  for (const price of last) exact += (price - newest) * level
  const off = 2n * (told * count * MILLION - exact)
  return off <= count * MILLION && -off <= count * MILLION
}

/** Whether no larger quantity of the order is within the stake. */
const isLargest = (quantity: bigint, offered: bigint, entry: bigint, stake: bigint): boolean => {
  if (quantity < 0n || quantity > offered) return false
  if (quantity > 0n && naiveCollateral(entry, quantity) > stake) return false
  return quantity === offered || entry * (quantity + 1n) * COLLATERAL_RATE > stake * COLLATERAL_SCALE
}

/** What it is worth above what it is measured by, less what is left out of that, as a part of the entry price. */
const bidOf = (entry: bigint, fair: bigint, basis: bigint, shade: bigint): bigint => {
  if (fair <= basis) return entry
  const edge = ((fair - basis) * (MILLION - shade)) / MILLION
  return within((entry * (basis + edge)) / basis, entry, entry + entry / 10n)
}

interface Found {
  readonly fair: bigint | null
  readonly quantity: bigint
  readonly roi: bigint
  readonly stakes: ReadonlyArray<bigint>
}

const LIMITS = ["collateral_missing", "loss_limit", "collateral_cap"] as const

const barredBy = (input: Wire<BotDecided>["input"]): DecisionCode | undefined => {
  if (input.at >= input.order.expiryAt) return "window_closed"
  if (input.halted) return "breaker_open"
  return input.capable ? undefined : "not_capable"
}

const codeOf = (input: Wire<BotDecided>["input"], { fair, quantity, roi, stakes }: Found): DecisionCode => {
  const barred = barredBy(input)
  if (barred !== undefined) return barred
  if (fair === null) return "price_missing"
  if (quantity === 0n) return LIMITS[stakes.indexOf(least(...stakes))] ?? "collateral_missing"
  const { entryPrice, makerDiscount } = input.order
  if (makerDiscount === undefined && fair < BigInt(entryPrice)) return "below_entry"
  return roi > 0n && roi >= BigInt(input.strategy.minRoiPct) ? "commit" : "roi_too_low"
}
