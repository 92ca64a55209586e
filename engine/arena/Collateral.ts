/** The collateral of an order value: 3.81 % of it, rounded up. */

import { Data, Result } from "effect"
import { type Amount, fromUnits, MAX, ONE, ZERO } from "../money/Amount.ts"
import { ceilDivide } from "../money/Rounding.ts"

/** The collateral's part of the order value, in 10⁻⁴: 3.81 %. Specification 5, rule 1. */
export const COLLATERAL_PER_TEN_THOUSAND = 381n

const TEN_THOUSAND = 10_000n

/** price × quantity is above 8·10⁹ USD. */
export class ValueTooLarge extends Data.TaggedError("ValueTooLarge")<{ readonly limit: Amount }> {}

/**
 * The order value: price × quantity in USD, its fraction of a unit rounded up.
 *
 * Neither argument is negative. The bound holds for the exact product, and for what it rounds to.
 */
export const orderValueOf = (price: Amount, quantity: Amount): Result.Result<Amount, ValueTooLarge> =>
  tooLarge(price, quantity)
    ? Result.fail(new ValueTooLarge({ limit: MAX }))
    : Result.succeed(fromUnits(ceilDivide(price * quantity, ONE)))

/**
 * The collateral of price × quantity: its exact product × 381 / 10,000, rounded up once. Never below 3.81 % of it, and
 * less than one unit of 10⁻⁶ USD above.
 *
 * It is not computed from {@link orderValueOf}: rounding twice could take a unit too much.
 */
export const collateralOf = (price: Amount, quantity: Amount): Result.Result<Amount, ValueTooLarge> =>
  tooLarge(price, quantity)
    ? Result.fail(new ValueTooLarge({ limit: MAX }))
    : Result.succeed(fromUnits(ceilDivide(price * quantity * COLLATERAL_PER_TEN_THOUSAND, TEN_THOUSAND * ONE)))

/** The collateral of a value already in USD: value × 381 / 10,000, rounded up. 10,000.00 needs 381.00. */
export const collateralOfValue = (value: Amount): Amount =>
  fromUnits(ceilDivide(value * COLLATERAL_PER_TEN_THOUSAND, TEN_THOUSAND))

/** The largest quantity at this price, above 0, whose collateral is at most so much. */
export const affordableQuantity = (price: Amount, collateral: Amount): Amount =>
  collateral <= 0n ? ZERO : fromUnits((collateral * TEN_THOUSAND * ONE) / (price * COLLATERAL_PER_TEN_THOUSAND))

const tooLarge = (price: Amount, quantity: Amount): boolean => price * quantity > MAX * ONE
