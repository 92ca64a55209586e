/** Divides an amount into equal monthly instalments, the remainder on the first. */

import { Schema } from "effect"
import { Amount, fromUnits } from "../money/Amount.ts"
import { dueDates, type PaymentTerms } from "./PaymentTerms.ts"

/** One part of what an order costs. */
export const Instalment = Schema.Struct({
  /** From 1. */
  number: Schema.Int,
  /** More than 0. */
  amount: Amount,
  /** Milliseconds since 1970. */
  dueAt: Schema.Int
})
export type Instalment = typeof Instalment.Type

/** 0.01 in units of 10⁻⁶: instalments after the first are whole cents. */
const CENT = 10_000n

/** The smallest total that can be paid on the terms: one cent for each part. */
export const smallestTotal = (terms: PaymentTerms): Amount =>
  fromUnits(terms.type === "installments" ? BigInt(terms.installments) * CENT : 1n)

/** An amount in equal parts of whole cents, and what that leaves on the first: a part may be 0. */
export const dividedOver = (total: Amount, count: number): ReadonlyArray<Amount> => {
  const part = count === 1 ? total : (total / BigInt(count) / CENT) * CENT
  return Array.from({ length: count }, (_, index) => fromUnits(index === 0 ? total - part * BigInt(count - 1) : part))
}

/**
 * What is due when: equal parts in whole cents, and what that leaves on the first. The parts sum to the total.
 *
 * Dies by `RangeError` for a total below {@link smallestTotal}.
 */
export const instalmentSchedule = (total: Amount, terms: PaymentTerms, placedAt: number): ReadonlyArray<Instalment> => {
  if (total < smallestTotal(terms)) throw new RangeError(`${total} cannot be paid on ${terms.type}`)
  const dates = dueDates(terms, placedAt)
  const parts = dividedOver(total, dates.length)
  return dates.map((dueAt, index) => ({ number: index + 1, amount: parts[index] ?? fromUnits(0n), dueAt }))
}
