/** Plays a bot's own evaluation over daily closes. */

import { DateTime, Result } from "effect"
import type { AssetType } from "../arena/AssetType.ts"
import { bidPricing, DEFAULT_MAKER_DISCOUNT } from "../arena/BidPricing.ts"
import { orderValueOf } from "../arena/Collateral.ts"
import { amountFromFine } from "../arena/FinePrice.ts"
import { RATED } from "../arena/Instrument.ts"
import type { PriceHistory } from "../arena/PriceHistory.ts"
import { profitOf } from "../arena/SettlementPrice.ts"
import { lossLimitOf } from "../ledger/LossLimit.ts"
import { type Amount, fromUnits, ONE, ZERO } from "../money/Amount.ts"
import type { Decision, EvaluationInput } from "./Evaluation.ts"
import { EVALUATION_PRICE } from "./EvaluationCredits.ts"
import type { Strategy } from "./Strategy.ts"

/** What each order of a backtest is worth at its entry price. */
export const ORDER_VALUE: Amount = fromUnits(10_000n * ONE)

/** An order is opened at one close, its reference is the next one, and it settles at the one after. */
const DAYS_AN_ORDER = 2

/** Characters of `2026-11`. */
const MONTH = 7

/** Decides about one order: the strategy's own evaluation, or a baseline. */
export type Policy = (input: EvaluationInput) => Decision

export interface BacktestPlan {
  readonly history: PriceHistory
  readonly strategy: Strategy
  readonly capabilities: ReadonlyArray<AssetType>
  readonly collateral: Amount
  /** The most credits that it may use in a calendar month; what comes after it is not evaluated. No end without it. */
  readonly creditBudget?: Amount
  /** The first and the last date on which orders may be opened or settled. */
  readonly from: string
  readonly to: string
}

/** What became of a commitment. */
export interface BacktestTrade {
  readonly asset: string
  readonly openedOn: string
  readonly decision: Decision
  /** The close that judges it. Where its bid floats to the market maker's reserve, it wins and buys at that. */
  readonly reference: Amount
  readonly won: boolean
  readonly settledOn: string
  readonly settlementPrice: Amount
  /** 0 where it did not win. */
  readonly profit: Amount
}

/** One decision, of which most are not to commit. */
export interface BacktestDecision {
  readonly date: string
  readonly asset: string
  readonly input: EvaluationInput
  readonly decision: Decision
}

export interface EquityPoint {
  readonly date: string
  /** Collateral with all that was won and lost until this close. */
  readonly equity: Amount
}

export interface BacktestResult {
  readonly equity: ReadonlyArray<EquityPoint>
  readonly trades: ReadonlyArray<BacktestTrade>
  readonly decisions: ReadonlyArray<BacktestDecision>
  /** Orders that the month's credits did not reach for. */
  readonly unevaluated: number
  readonly profit: Amount
  /** The deepest fall of the equity from a height before it. */
  readonly drawdown: Amount
  /** By asset, those that were traded. */
  readonly profitByAsset: ReadonlyMap<string, Amount>
}

interface Priced {
  readonly asset: string
  readonly assetType: AssetType
  readonly closes: ReadonlyArray<Amount>
}

interface Open {
  readonly trade: BacktestTrade
  readonly collateral: Amount
  readonly releasedOn: number
}

/**
 * Runs a policy over daily closes, one step a day. An order of {@link ORDER_VALUE} in each asset opens at every close;
 * what commits is judged by the next close and settled by the one after, under the arena's own rules for a bidder
 * without rivals: it buys at the market maker's reserve, which no rival can make cheaper. A decision sees the closes up to its own
 * day. Options and accelerators have no history of prices, so nothing is traded of them.
 *
 * Dies by `RangeError` where fewer than three closes lie between the dates.
 */
export const backtest = (plan: BacktestPlan, policy: Policy): BacktestResult => {
  const { dates } = plan.history
  const first = dates.findIndex((date) => date >= plan.from)
  const last = dates.findLastIndex((date) => date <= plan.to)
  if (first < 0 || last - first < DAYS_AN_ORDER) throw new RangeError("a backtest needs three closes between its dates")
  const run = new BacktestRun(plan, policy)
  for (let day = first; day <= last; day++) run.step(day, last)
  return run.result()
}

class BacktestRun {
  readonly #plan: BacktestPlan
  readonly #policy: Policy
  readonly #assets: ReadonlyArray<Priced>
  readonly #equity: Array<EquityPoint> = []
  readonly #decisions: Array<BacktestDecision> = []
  readonly #trades: Array<BacktestTrade> = []
  readonly #creditsUsed = new Map<string, Amount>()
  #unevaluated = 0
  #open: Array<Open> = []
  #free: Amount
  #lost: Amount = ZERO

  constructor(plan: BacktestPlan, policy: Policy) {
    this.#plan = plan
    this.#policy = policy
    this.#free = plan.collateral
    this.#assets = RATED.filter(({ assetType }) => plan.capabilities.includes(assetType)).map(
      ({ asset, assetType }) => ({
        asset,
        assetType,
        closes: (plan.history.closes.get(asset) ?? []).map(amountFromFine)
      })
    )
  }

  step(day: number, last: number): void {
    this.#settle(day)
    if (day + DAYS_AN_ORDER <= last) for (const asset of this.#assets) this.#consider(asset, day)
    const locked = this.#open.reduce((sum, { collateral }) => sum + collateral, 0n)
    this.#equity.push({ date: this.#date(day), equity: fromUnits(this.#free + locked) })
  }

  result(): BacktestResult {
    const byAsset = new Map<string, Amount>()
    for (const { asset, profit } of this.#trades) byAsset.set(asset, fromUnits((byAsset.get(asset) ?? 0n) + profit))
    return {
      equity: this.#equity,
      trades: this.#trades,
      decisions: this.#decisions,
      unevaluated: this.#unevaluated,
      profit: fromUnits(this.#trades.reduce((sum, { profit }) => sum + profit, 0n)),
      drawdown: drawdownOf(this.#equity),
      profitByAsset: byAsset
    }
  }

  #settle(day: number): void {
    const due = this.#open.filter(({ releasedOn }) => releasedOn === day)
    this.#open = this.#open.filter(({ releasedOn }) => releasedOn !== day)
    for (const { collateral, trade } of due) {
      this.#free = fromUnits(this.#free + collateral + trade.profit)
      if (trade.profit < 0n) this.#lost = fromUnits(this.#lost - trade.profit)
      this.#trades.push(trade)
    }
  }

  #consider({ asset, assetType, closes }: Priced, day: number): void {
    if (!this.#payEvaluation(day)) return
    const entryPrice = closes[day] ?? ZERO
    const input: EvaluationInput = {
      at: startOf(this.#date(day)),
      strategy: this.#plan.strategy,
      order: {
        orderId: `${this.#date(day)}/${asset}`,
        assetType,
        entryPrice,
        quantity: quantityFor(entryPrice),
        expiryAt: startOf(this.#date(day + 1)),
        makerDiscount: DEFAULT_MAKER_DISCOUNT
      },
      prices: closes.slice(0, day + 1),
      freeCollateral: this.#free,
      lossBudget: this.#lossBudget(),
      capable: true,
      halted: false,
      shade: ZERO
    }
    const decision = this.#policy(input)
    this.#decisions.push({ date: this.#date(day), asset, input, decision })
    if (decision.code === "commit") this.#commit({ asset, assetType, closes }, day, decision)
  }

  #commit({ asset, closes }: Priced, day: number, decision: Decision): void {
    const { bid, collateral, quantity, tolerance = ZERO } = decision
    const reference = closes[day + 1] ?? ZERO
    const settlementPrice = closes[day + DAYS_AN_ORDER] ?? ZERO
    const entryPrice = closes[day] ?? ZERO
    const { offered, reserve } = bidPricing({ entryPrice, makerDiscount: DEFAULT_MAKER_DISCOUNT }, reference)
    const won = offered({ proposedPrice: bid, slippage: tolerance }) >= reserve
    const profit = won ? profitOf({ quantity, collateral }, reserve, settlementPrice) : ZERO
    const releasedOn = won ? day + DAYS_AN_ORDER : day + 1
    this.#free = fromUnits(this.#free - collateral)
    const trade = { asset, decision, reference, won, settlementPrice, profit }
    this.#open.push({
      collateral,
      releasedOn,
      trade: { ...trade, openedOn: this.#date(day), settledOn: this.#date(releasedOn) }
    })
  }

  /** Takes an evaluation's price from the month's budget, or answers false where it is used up. */
  #payEvaluation(day: number): boolean {
    const { creditBudget } = this.#plan
    const month = this.#date(day).slice(0, MONTH)
    const used = fromUnits((this.#creditsUsed.get(month) ?? ZERO) + EVALUATION_PRICE)
    if (creditBudget !== undefined && used > creditBudget) {
      this.#unevaluated++
      return false
    }
    this.#creditsUsed.set(month, used)
    return true
  }

  /** maxLossPct of the funding, less what was lost and what is locked. */
  #lossBudget(): Amount {
    const { collateral, strategy } = this.#plan
    const limit = lossLimitOf(collateral, strategy.maxLossPct)
    const locked = this.#open.reduce((sum, open) => sum + open.collateral, 0n)
    const left = limit - this.#lost - locked
    return left > 0n ? fromUnits(left) : ZERO
  }

  #date(day: number): string {
    return this.#plan.history.dates[day] ?? ""
  }
}

/** Midnight (UTC) of an ISO date. */
const startOf = (date: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(date))

/** The largest quantity that is worth at most {@link ORDER_VALUE}. */
const quantityFor = (price: Amount): Amount => {
  const quantity = fromUnits((ORDER_VALUE * ONE) / price)
  const value = orderValueOf(price, quantity)
  return Result.isSuccess(value) && value.success <= ORDER_VALUE ? quantity : fromUnits(quantity - 1n)
}

const drawdownOf = (equity: ReadonlyArray<EquityPoint>): Amount => {
  let height = ZERO
  let deepest = ZERO
  for (const point of equity) {
    if (point.equity > height) height = point.equity
    const fall = fromUnits(height - point.equity)
    if (fall > deepest) deepest = fall
  }
  return deepest
}
