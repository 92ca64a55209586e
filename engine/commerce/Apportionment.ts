import { type Amount, fromUnits } from "../money/Amount.ts"

/**
 * Divides an amount among claims in proportion to them, in whole units: the parts sum to the amount, none is above its
 * claim, and each is within one unit of its exact share.
 *
 * Every part is rounded down; the units that leaves go one each to the largest remainders, the earlier claim first
 * (Hamilton's method). Dividing again what is left of the claims ends with every claim met exactly.
 *
 * Dies by `RangeError` for an amount below 0 or above the sum of the claims.
 */
export const apportion = (amount: Amount, claims: ReadonlyArray<Amount>): ReadonlyArray<Amount> => {
  const total = claims.reduce((sum, claim) => sum + claim, 0n)
  if (amount < 0n || amount > total) throw new RangeError(`${amount} is not between 0 and the claims' ${total}`)
  if (total === 0n) return claims
  const parts = claims.map((claim) => (claim * amount) / total)
  const missing = amount - parts.reduce((sum, part) => sum + part, 0n)
  const byRemainder = claims
    .map((claim, index) => ({ index, remainder: (claim * amount) % total }))
    .sort((one, other) =>
      one.remainder === other.remainder ? one.index - other.index : one.remainder > other.remainder ? -1 : 1
    )
  for (const { index } of byRemainder.slice(0, Number(missing))) parts[index] = (parts[index] ?? 0n) + 1n
  return parts.map(fromUnits)
}
