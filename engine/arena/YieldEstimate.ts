import { Data, Result } from "effect"
import { type Amount, fromUnits } from "../money/Amount.ts"
import * as Power from "../money/Power.ts"
import type { Rate } from "../money/Rate.ts"
import { floorDivide } from "../money/Rounding.ts"
import { collateralOfValue } from "./Collateral.ts"
import { yearlyGrowth } from "./YieldIndex.ts"
import { shareYield, type YieldShares } from "./YieldShares.ts"

/** The longest duration an estimate is given for, in days. */
export const MAX_DAYS = 3650

/** `duration_days` is not an integer from 1 to 3650. */
export class InvalidDuration extends Data.TaggedError("InvalidDuration")<{ readonly expected: string }> {}

/** Specification 4.3, `GET /api/arena/yield/estimate`. Amounts are in USD. */
export interface YieldEstimate {
  readonly collateral: Amount
  readonly yield: Amount
  readonly breakdown: YieldShares
}

/**
 * What the collateral of an order value would earn: collateral × ((1 + apy)^(days ÷ 365) − 1), rounded down, and how it
 * would be divided. 10,000 USD at 8 % for 30 days need 381 USD, which earn 2.417678 USD.
 */
export const estimateYield = (
  orderValue: Amount,
  apy: Rate,
  days: number
): Result.Result<YieldEstimate, InvalidDuration> => {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    return Result.fail(new InvalidDuration({ expected: `an integer from 1 to ${MAX_DAYS}` }))
  }
  const collateral = collateralOfValue(orderValue)
  const growth = yearlyGrowth(apy, days, 365) - Power.ONE
  const total = fromUnits(floorDivide(collateral * growth, Power.ONE))
  return Result.succeed({ collateral, yield: total, breakdown: shareYield(total) })
}
