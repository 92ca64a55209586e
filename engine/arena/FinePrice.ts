import { Data, Result } from "effect"
import type { Brand } from "effect"
import { type Amount, fromUnits, MAX } from "../money/Amount.ts"

/** A price in integer units of 10⁻¹² USD: fine enough that a small move of a small price is not rounded away. */
export type FinePrice = bigint & Brand.Brand<"FinePrice">

/** One USD. */
export const FINE_ONE = 1_000_000_000_000n as FinePrice

const FINE_PER_AMOUNT = 1_000_000n
const SMALLEST = FINE_PER_AMOUNT
const LARGEST = MAX * FINE_PER_AMOUNT
const DECIMAL = /^(\d{1,24})(?:\.(\d{1,24}))?(?:e([+-]?\d{1,2}))?$/i

/** A rate that prices nothing: not a positive decimal, or beyond what an amount can carry. */
export class UnpricedRate extends Data.TaggedError("UnpricedRate")<{ readonly rate: string }> {}

/** numerator ÷ divisor to the nearest integer, halves up, for a positive divisor and any numerator. */
export const divideNearest = (numerator: bigint, divisor: bigint): bigint => {
  const doubled = 2n * numerator + divisor
  const quotient = doubled / (2n * divisor)
  return doubled < 0n && doubled % (2n * divisor) !== 0n ? quotient - 1n : quotient
}

export const fineFromAmount = (price: Amount): FinePrice => (price * FINE_PER_AMOUNT) as FinePrice

/** The price as an amount, to the nearest 10⁻⁶. */
export const amountFromFine = (price: FinePrice): Amount => fromUnits(divideNearest(price, FINE_PER_AMOUNT))

/** The price, but never below 10⁻⁶ USD. */
export const atLeastSmallest = (price: bigint): FinePrice => (price < SMALLEST ? SMALLEST : price) as FinePrice

/**
 * The USD price of `per` units of something, from the decimal of how many units one USD buys: per ÷ rate, to the
 * nearest 10⁻¹². Takes the exponents of shortest decimals, such as `1.5432085e-05`.
 */
export const priceFromRate = (rate: string, per: number): Result.Result<FinePrice, UnpricedRate> => {
  const match = DECIMAL.exec(rate)
  const digits = BigInt((match?.[1] ?? "0") + (match?.[2] ?? ""))
  if (digits === 0n) return Result.fail(new UnpricedRate({ rate }))
  const exponent = Number(match?.[3] ?? "0") - (match?.[2] ?? "").length
  const [up, down] = exponent < 0 ? [10n ** BigInt(-exponent), 1n] : [1n, 10n ** BigInt(exponent)]
  const price = divideNearest(FINE_ONE * BigInt(per) * up, digits * down)
  return price < SMALLEST || price > LARGEST
    ? Result.fail(new UnpricedRate({ rate }))
    : Result.succeed(price as FinePrice)
}
