/**
 * Integer division with a named direction. Money never rounds by accident: collateral rounds up, payouts and yield
 * round down, profit rounds toward zero.
 *
 * Every function dies by `RangeError` on a zero divisor, as `/` on bigints does.
 */

/** ⌊numerator ÷ divisor⌋ for a positive divisor. */
export const floorDivide = (numerator: bigint, divisor: bigint): bigint => {
  const quotient = numerator / divisor
  return numerator % divisor !== 0n && numerator < 0n ? quotient - 1n : quotient
}

/** ⌈numerator ÷ divisor⌉ for a positive divisor. */
export const ceilDivide = (numerator: bigint, divisor: bigint): bigint => {
  const quotient = numerator / divisor
  return numerator % divisor !== 0n && numerator > 0n ? quotient + 1n : quotient
}

/** numerator ÷ divisor without its fraction. */
export const truncateDivide = (numerator: bigint, divisor: bigint): bigint => numerator / divisor

/** The value limited to [low, high]. */
export const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value
