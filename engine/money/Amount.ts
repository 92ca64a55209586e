import { Data, Result, type Brand, Schema } from "effect"
import { formatUnits, parseUnits, roundUnits, shortestDecimal } from "./Decimal.ts"

/**
 * A fixed-point amount, quantity or arena price in integer units of 10⁻⁶.
 *
 * Signed, so that profits and postings share it; everything parsed from outside is non-negative.
 */
export type Amount = bigint & Brand.Brand<"Amount">

/** As JSON has it: its units in a decimal string. */
export const Amount = Schema.BigIntFromString as unknown as Schema.Codec<Amount, string>

/** Number of decimals an amount carries. */
export const DECIMALS = 6

/** One whole unit: 10⁶. */
export const ONE = 1_000_000n as Amount

export const ZERO = 0n as Amount

/** The largest amount accepted from outside: 8·10⁹ units. A double carries six decimals exactly only below 2³³. */
export const MAX = (8_000_000_000n * ONE) as Amount

/** An amount that cannot be taken: `expected` says what would be. */
export class InvalidAmount extends Data.TaggedError("InvalidAmount")<{ readonly expected: string }> {}

const EXPECTED_DECIMAL = "a non-negative decimal number with at most 6 decimals"
const EXPECTED_NUMBER = "a non-negative decimal number"
const EXPECTED_RANGE = "at most 8000000000"

/** Brands an integer already counted in 10⁻⁶. */
export const fromUnits = (units: bigint): Amount => units as Amount

/** Parses a plain decimal such as `12.5`. Refuses signs, exponents, more than six decimals and values above {@link MAX}. */
export const parse = (text: string): Result.Result<Amount, InvalidAmount> => {
  const units = parseUnits(text, DECIMALS)
  if (units === undefined) return Result.fail(new InvalidAmount({ expected: EXPECTED_DECIMAL }))
  return units > MAX ? Result.fail(new InvalidAmount({ expected: EXPECTED_RANGE })) : Result.succeed(fromUnits(units))
}

/** Parses a decimal of a query such as `12.5`. Further decimals than six are rounded, a half to even. */
export const parseRounded = (text: string): Result.Result<Amount, InvalidAmount> => {
  const units = roundUnits(text, DECIMALS)
  if (units === undefined) return Result.fail(new InvalidAmount({ expected: EXPECTED_NUMBER }))
  return units > MAX ? Result.fail(new InvalidAmount({ expected: EXPECTED_RANGE })) : Result.succeed(fromUnits(units))
}

/**
 * Reads a JSON number through its shortest decimal, rounded half to even at the sixth: a program that computes
 * `price * 1.0123` sends more. Below 2³³ two decimals of six places are never the same double, so that whole units which
 * read back as the value are that decimal; `value × 10⁶` alone is wrong in the last place.
 */
export const fromNumber = (value: number): Result.Result<Amount, InvalidAmount> => {
  if (!Number.isFinite(value) || value < 0 || Object.is(value, -0)) {
    return Result.fail(new InvalidAmount({ expected: EXPECTED_NUMBER }))
  }
  if (value > 8_000_000_000) return Result.fail(new InvalidAmount({ expected: EXPECTED_RANGE }))
  const units = Math.round(value * 1_000_000)
  return units / 1_000_000 === value ? Result.succeed(fromUnits(BigInt(units))) : parseRounded(shortestDecimal(value))
}

/** The JSON number of an amount: the double nearest to it, exact to six decimals for |amount| ≤ {@link MAX}. */
export const toNumber = (amount: Amount): number => Number(amount) / 1_000_000

/** The plain decimal of an amount, without trailing zeros: `12.5`. */
export const format = (amount: Amount): string => formatUnits(amount, DECIMALS)
