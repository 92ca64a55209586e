import { price, usd } from "../ui/Format.ts"

/** Decimals that matter of a price of this size. */
const decimalsOf = (value: number): number => (value >= 1_000 ? 2 : value >= 10 ? 3 : value >= 1 ? 4 : 6)

/** A price to be read at a glance: `$4,139.35`, `$1.1364`, `$0.633404`. Where it must be exact, `price` of Format. */
export const quote = (value: number): string => {
  const factor = 10 ** decimalsOf(Math.abs(value))
  return price(Math.round(value * factor) / factor)
}

/** A profit or loss with its sign: `+$12.00`, `−$3.50`, and in more places where it is less than a cent. */
export const profitText = (value: number): string => {
  if (value === 0) return usd(0)
  const size = Math.abs(value)
  return `${value < 0 ? "−" : "+"}${usd(size, size < 0.01 ? 6 : 2)}`
}
