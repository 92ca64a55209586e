import { type Brand, Data, Result, Schema } from "effect"
import { type Amount, fromUnits as amountFromUnits } from "./Amount.ts"
import { formatUnits, parseUnits, shortestDecimal } from "./Decimal.ts"
import { ceilDivide, floorDivide } from "./Rounding.ts"

/** A fixed-point ratio in integer units of 10⁻¹²: an exchange rate, a yearly yield, a volatility or a share. */
export type Rate = bigint & Brand.Brand<"Rate">

/** As JSON has it: its units in a decimal string. */
export const Rate = Schema.BigIntFromString as unknown as Schema.Codec<Rate, string>

/** Number of decimals a rate carries. */
export const DECIMALS = 12

/** The rate 1: 10¹² units. */
export const ONE = 1_000_000_000_000n as Rate

export const ZERO = 0n as Rate

/** The largest rate accepted from outside: 8·10⁶, so that its units fit 64 bits. */
export const MAX = (8_000_000n * ONE) as Rate

/** A rate that cannot be taken: `expected` says what would be. */
export class InvalidRate extends Data.TaggedError("InvalidRate")<{ readonly expected: string }> {}

const EXPECTED_DECIMAL = "a non-negative decimal number with at most 12 decimals"
const EXPECTED_RANGE = "at most 8000000"

/** Which way a conversion gives the fraction of a unit: `floor` for what is paid out, `ceil` for what is charged. */
export type Direction = "floor" | "ceil"

/** Brands an integer already counted in 10⁻¹². */
export const fromUnits = (units: bigint): Rate => units as Rate

/** Parses a plain decimal such as `1.0834`. Refuses signs, exponents, more than 12 decimals and rates above {@link MAX}. */
export const parse = (text: string): Result.Result<Rate, InvalidRate> => {
  const units = parseUnits(text, DECIMALS)
  if (units === undefined) return Result.fail(new InvalidRate({ expected: EXPECTED_DECIMAL }))
  return units > MAX ? Result.fail(new InvalidRate({ expected: EXPECTED_RANGE })) : Result.succeed(fromUnits(units))
}

/** Reads a JSON number through its shortest decimal, which must have at most 12 decimals. */
export const fromNumber = (value: number): Result.Result<Rate, InvalidRate> => {
  if (!Number.isFinite(value) || value < 0 || Object.is(value, -0)) {
    return Result.fail(new InvalidRate({ expected: EXPECTED_DECIMAL }))
  }
  return value > 8_000_000 ? Result.fail(new InvalidRate({ expected: EXPECTED_RANGE })) : parse(shortestDecimal(value))
}

/**
 * The JSON number of a rate: the double nearest to it.
 *
 * It reads back as the same rate below 8,192; above, a double no longer carries 12 decimals, so send {@link format}.
 */
export const toNumber = (rate: Rate): number => Number(format(rate))

/** The plain decimal of a rate, without trailing zeros: `0.08`. */
export const format = (rate: Rate): string => formatUnits(rate, DECIMALS)

/** numerator ÷ denominator as a rate. Both count the same unit; dies by `RangeError` on a zero denominator. */
export const ratio = (numerator: bigint, denominator: bigint, direction: Direction): Rate =>
  fromUnits(divide(numerator * ONE, denominator, direction))

/** amount × rate, rounded once: USD at 0.92 EUR per USD become EUR. */
export const convert = (amount: Amount, rate: Rate, direction: Direction): Amount =>
  amountFromUnits(divide(amount * rate, ONE, direction))

const divide = (numerator: bigint, divisor: bigint, direction: Direction): bigint =>
  direction === "floor" ? floorDivide(numerator, divisor) : ceilDivide(numerator, divisor)
