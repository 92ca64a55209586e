import type { Brand } from "effect"
import { floorDivide } from "./Rounding.ts"

/**
 * A real number in integer units of 10⁻³⁶.
 *
 * The runtimes' own exp, log and pow differ in their last bits. These are integer arithmetic alone, so every runtime
 * gives the same digits.
 */
export type Fixed = bigint & Brand.Brand<"Fixed">

/** The number 1: 10³⁶ units. */
export const ONE = 1_000_000_000_000_000_000_000_000_000_000_000_000n as Fixed

/** exp refuses arguments above 256: e²⁵⁶ ≈ 1.5·10¹¹¹. */
export const EXP_MAX = (256n * ONE) as Fixed

/** Beyond ±13 the normal distribution has less than 10⁻³⁸ left. */
const NORMAL_CUT = 13n * ONE

/** Inside, numbers have 192 binary places: 10⁻⁵⁷, so that rounding errors of a whole series stay far below 10⁻³⁶. */
const BITS = 192n
const UNIT = 1n << BITS

/** 1 ÷ √(2π) to 60 decimals. */
const NORMAL_DENSITY_AT_ZERO =
  (398_942_280_401_432_677_939_946_059_934_381_868_475_858_631_164_934_657_665_926n << BITS) /
  1_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000n

/** Brands an integer already counted in 10⁻³⁶. */
export const fromUnits = (units: bigint): Fixed => units as Fixed

/** numerator ÷ denominator, rounded down; the denominator is positive. */
export const ratio = (numerator: bigint, denominator: bigint): Fixed =>
  fromUnits(floorDivide(numerator * ONE, denominator))

/** a × b, rounded down. */
export const multiply = (a: Fixed, b: Fixed): Fixed => fromUnits(floorDivide(a * b, ONE))

/** a ÷ b for b > 0, rounded down. */
export const divide = (a: Fixed, b: Fixed): Fixed => ratio(a, b)

/** ⌊√n⌋ by Newton's method on integers. Dies by `RangeError` for n < 0. */
export const integerSquareRoot = (n: bigint): bigint => {
  if (n < 0n) throw new RangeError("a square root needs a number of at least 0")
  if (n < 2n) return n
  let root = 1n << BigInt((bitLength(n) + 1) >> 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** √x rounded down in the last unit. Dies by `RangeError` for x < 0. */
export const sqrt = (x: Fixed): Fixed => fromUnits(integerSquareRoot(x * ONE))

/**
 * eˣ, within one unit or to 50 significant digits, whichever is coarser; exact where the result has 36 decimals.
 *
 * Halving by ln 2, then the exponential series. Dies by `RangeError` for x > {@link EXP_MAX}; is 0 below about −83.6.
 */
export const exp = (x: Fixed): Fixed => nearest(expWork(widen(x)))

/** ln x, within one unit. The series of 2 artanh((m − 1) ÷ (m + 1)) for x = 2ᵏ·m. Dies by `RangeError` for x ≤ 0. */
export const ln = (x: Fixed): Fixed => nearest(lnWork(x))

/**
 * base^(numerator ÷ denominator) for base > 0 and a positive denominator, as accurate as {@link exp}: exact where the
 * result has 36 decimals. Dies by `RangeError` for base ≤ 0 and for results above e²⁵⁶.
 */
export const pow = (base: Fixed, numerator: bigint, denominator: bigint): Fixed => powers(base)(numerator, denominator)

/** {@link pow} for many exponents of one base, whose logarithm is computed once. */
export const powers = (base: Fixed): ((numerator: bigint, denominator: bigint) => Fixed) => {
  const logarithm = lnWork(base)
  return (numerator, denominator) => nearest(expWork(floorDivide(logarithm * numerator, denominator)))
}

/**
 * Φ(x), the standard normal distribution, within one unit.
 *
 * ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …), Marsaglia, "Evaluating the Normal Distribution", 2004, formula (3).
 * Below −13 it is 0 and above 13 it is 1.
 */
export const normalCdf = (x: Fixed): Fixed => {
  if (x < 0n) return fromUnits(ONE - normalCdf(fromUnits(-x)))
  if (x > NORMAL_CUT) return ONE
  const work = widen(x)
  const square = (work * work) >> BITS
  let term = work
  let sum = work
  for (let odd = 3n; term !== 0n; odd += 2n) {
    term = ((term * square) >> BITS) / odd
    sum += term
  }
  // Dividing by e^(x²/2) keeps all places; multiplying by e^(−x²/2) would keep few of them in the tail.
  return nearest((UNIT >> 1n) + (sum * NORMAL_DENSITY_AT_ZERO) / expWork(square >> 1n))
}

const bitLength = (n: bigint): number => n.toString(2).length

const widen = (x: Fixed): bigint => floorDivide(x << BITS, ONE)

const nearest = (work: bigint): Fixed => fromUnits((work * ONE + (UNIT >> 1n)) >> BITS)

/** 2 artanh(z) for |z| ≤ ⅓. */
const doubleArtanh = (z: bigint): bigint => {
  const square = (z * z) >> BITS
  let power = z
  let sum = z
  for (let odd = 3n; power !== 0n && power !== -1n; odd += 2n) {
    power = (power * square) >> BITS
    sum += power / odd
  }
  return sum << 1n
}

const LN_2 = doubleArtanh(UNIT / 3n)

const expWork = (x: bigint): bigint => {
  if (x > EXP_MAX_WORK) throw new RangeError("exp needs an argument of at most 256")
  const doublings = floorDivide(x + (LN_2 >> 1n), LN_2)
  const rest = x - doublings * LN_2
  let term = UNIT
  let sum = UNIT
  for (let n = 1n; term !== 0n; n += 1n) {
    term = ((term * rest) >> BITS) / n
    sum += term
  }
  return sum << doublings
}

const EXP_MAX_WORK = widen(EXP_MAX)

const lnWork = (x: Fixed): bigint => {
  if (x <= 0n) throw new RangeError("ln needs a number above 0")
  const doublings = BigInt(bitLength(x) - bitLength(ONE))
  const m = (x << (BITS - doublings)) / ONE
  return doublings * LN_2 + doubleArtanh(((m - UNIT) << BITS) / (m + UNIT))
}
