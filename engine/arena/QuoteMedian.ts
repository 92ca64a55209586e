import { type Amount, fromUnits } from "../money/Amount.ts"
import { floorDivide } from "../money/Rounding.ts"

/** The median of prices in any order: the middle one, or the mean of the middle two rounded down. None for no prices. */
export const medianOf = (prices: ReadonlyArray<Amount>): Amount | undefined => {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? undefined : fromUnits(floorDivide(lower + upper, 2n))
}
