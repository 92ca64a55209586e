/** The settlement price, the take-profit and the profit of an order. */

import { type Amount, fromUnits } from "../money/Amount.ts"
import { clamp, floorDivide } from "../money/Rounding.ts"
import type { Commitment } from "./Commitment.ts"
import type { Median } from "./Median.ts"

/** The longest window that the settlement price averages over. */
export const AVERAGING_MILLIS = 900_000

/** How long after the settlement date an order waits for a price before it is void. */
export const SETTLEMENT_WAIT_MILLIS = 24 * 3_600_000

/** The first recorded safe median at or after expiry and before the settlement date. */
export const referenceMedian = (
  medians: ReadonlyArray<Median>,
  expiryAt: number,
  settlementAt: number
): Median | undefined => medians.find((median) => median.safe && median.at >= expiryAt && median.at < settlementAt)

/**
 * Whether the settlement price can no longer change: a safe median exists at or after the settlement date and before
 * the wait for it ends. A later one does not count, so that a late step finds what a prompt one would have found.
 */
export const isFinal = (medians: ReadonlyArray<Median>, settlementAt: number): boolean =>
  medians.some(
    (median) => median.safe && median.at >= settlementAt && median.at < settlementAt + SETTLEMENT_WAIT_MILLIS
  )

/**
 * The time-weighted mean of the safe medians over [max(reference time, settlement − 900 s), settlement], rounded down.
 * Each median counts until the next one. `medians` ascend in time and include the reference's own.
 */
export const averagePrice = (medians: ReadonlyArray<Median>, referenceAt: number, settlementAt: number): Amount => {
  const start = Math.max(referenceAt, settlementAt - AVERAGING_MILLIS)
  const steps = medians.filter((median) => median.safe && median.at >= referenceAt && median.at < settlementAt)
  const weighted = steps.reduce((sum, median, index) => {
    const until = steps[index + 1]?.at ?? settlementAt
    const millis = Math.max(0, until - Math.max(median.at, start))
    return sum + median.price * BigInt(millis)
  }, 0n)
  return fromUnits(floorDivide(weighted, BigInt(settlementAt - start)))
}

export interface ExitPrice {
  /** USD for one unit. */
  readonly price: Amount
  readonly takeProfit: boolean
}

/** The winner's price: its take-profit where a safe median from the reference to the settlement date reached it, else the mean. */
export const exitPrice = (
  commitment: Commitment,
  medians: ReadonlyArray<Median>,
  referenceAt: number,
  settlementAt: number
): ExitPrice => {
  const reached = medians.some(
    (median) =>
      median.safe && median.at >= referenceAt && median.at <= settlementAt && median.price >= commitment.exitPrice
  )
  return reached
    ? { price: commitment.exitPrice, takeProfit: true }
    : { price: averagePrice(medians, referenceAt, settlementAt), takeProfit: false }
}

const UNITS = 1_000_000n

/** (price − clearing) × quantity, toward zero, within ± collateral. The market maker gets the opposite. */
export const profitOf = (
  commitment: Pick<Commitment, "collateral" | "quantity">,
  clearing: Amount,
  price: Amount
): Amount =>
  fromUnits(clamp(((price - clearing) * commitment.quantity) / UNITS, -commitment.collateral, commitment.collateral))
