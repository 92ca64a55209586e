/**
 * Plain decimals to and from fixed-point integers: the text of `Amount` and `Rate`.
 *
 * A decimal is digits, then optionally a point and more digits. No sign, no exponent, no spaces, no separators.
 */

const DECIMAL = /^(\d{1,16})(?:\.(\d+))?$/

/** The integer in units of 10^−decimals, or `undefined` when the text is not a plain decimal of that many decimals. */
export const parseUnits = (text: string, decimals: number): bigint | undefined => {
  const match = DECIMAL.exec(text)
  const fraction = match?.[2] ?? ""
  if (match === null || fraction.length > decimals) return undefined
  return BigInt(`${match[1]}${fraction.padEnd(decimals, "0")}`)
}

/** The integer in units of 10^−decimals nearest to a plain decimal, a half to the even one; `undefined` for other text. */
export const roundUnits = (text: string, decimals: number): bigint | undefined => {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const fraction = match[2] ?? ""
  const whole = BigInt(`${match[1]}${fraction.slice(0, decimals).padEnd(decimals, "0")}`)
  const rest = fraction.slice(decimals).replace(/0+$/, "")
  return rest > "5" || (rest === "5" && whole % 2n === 1n) ? whole + 1n : whole
}

/** The plain decimal of an integer in units of 10^−decimals, without trailing zeros: `12.5`, `-0.000001`. */
export const formatUnits = (units: bigint, decimals: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0")
  const fraction = digits.slice(-decimals).replace(/0+$/, "")
  const text = `${digits.slice(0, -decimals)}${fraction === "" ? "" : `.${fraction}`}`
  return units < 0n ? `-${text}` : text
}

/**
 * The shortest decimal that reads back as this double, written without an exponent when it is below 10⁻⁶.
 *
 * From 10²¹ on, and for NaN and infinities, the text is no plain decimal and {@link parseUnits} refuses it.
 */
export const shortestDecimal = (value: number): string => {
  const shortest = String(value)
  const match = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(shortest)
  if (match === null) return shortest
  return `0.${"0".repeat(Number(match[3]) - 1)}${match[1]}${match[2] ?? ""}`
}
