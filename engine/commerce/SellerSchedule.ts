import { type Amount, fromUnits } from "../money/Amount.ts"
import { dividedOver, type Instalment } from "./InstalmentSchedule.ts"
import { dueDates, type PaymentTerms } from "./PaymentTerms.ts"
import type { SellerShare } from "./PurchaseOrderTerms.ts"

/** What each company of an order is owed for all its lines, in the sequence in which they name it. */
export const subtotalsOf = (sellers: ReadonlyArray<SellerShare>): ReadonlyMap<string, Amount> => {
  const subtotals = new Map<string, Amount>()
  for (const { sellerId, subtotal } of sellers) {
    subtotals.set(sellerId, fromUnits((subtotals.get(sellerId) ?? 0n) + subtotal))
  }
  return subtotals
}

/** What of each part of an order is one company's: its sub-total divided as if the order were its alone. */
export const sellerParts = (subtotal: Amount, terms: PaymentTerms): ReadonlyArray<Amount> =>
  dividedOver(subtotal, terms.type === "installments" ? terms.installments : 1)

/**
 * What is due when of a whole order: each part is the sum of the sellers' parts, so that none of them depends on what
 * another one sells. The parts sum to the total.
 */
export const orderSchedule = (
  sellers: ReadonlyArray<SellerShare>,
  terms: PaymentTerms,
  placedAt: number
): ReadonlyArray<Instalment> => {
  const own = Array.from(subtotalsOf(sellers).values(), (subtotal) => sellerParts(subtotal, terms))
  return dueDates(terms, placedAt).map((dueAt, index) => ({
    number: index + 1,
    amount: fromUnits(own.reduce((sum, parts) => sum + (parts[index] ?? 0n), 0n)),
    dueAt
  }))
}
