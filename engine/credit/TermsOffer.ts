import { type Instalment, instalmentSchedule, smallestTotal } from "../commerce/InstalmentSchedule.ts"
import { FEWEST_INSTALMENTS, isOnCredit, MOST_INSTALMENTS, type PaymentTerms } from "../commerce/PaymentTerms.ts"
import type { Amount } from "../money/Amount.ts"

/** Why terms cannot be had. */
export type TermsReason = "not_assessed" | "kyc_required" | "overdue" | "limit_too_small" | "amount_too_small"

/** Terms for an amount. */
export interface TermsOffer {
  readonly terms: PaymentTerms
  /** Empty where the terms can be had. */
  readonly reasons: ReadonlyArray<TermsReason>
  /** For an order placed now; it sums to the amount. Empty for an amount that cannot be divided so. */
  readonly schedule: ReadonlyArray<Instalment>
}

/** What is known of whoever asks. */
export interface Creditworthiness {
  /** What may still be owed; undefined without a score card. */
  readonly free: Amount | undefined
  /** Whether the KYC record is verified. */
  readonly isVerified: boolean
  /** Whether something of the company that is to buy is overdue. */
  readonly isFrozen: boolean
}

const ALL_TERMS: ReadonlyArray<PaymentTerms> = [
  { type: "prepaid" },
  { type: "net_30" },
  { type: "net_60" },
  ...Array.from({ length: MOST_INSTALMENTS - FEWEST_INSTALMENTS + 1 }, (_, index): PaymentTerms => ({
    type: "installments",
    installments: FEWEST_INSTALMENTS + index
  }))
]

/** All terms for an amount above 0, and why some cannot be had. Specification 4.2, POST /v1/payments/terms. */
export const termsOffers = (amount: Amount, worth: Creditworthiness, at: number): ReadonlyArray<TermsOffer> =>
  ALL_TERMS.map((terms) => {
    const isDivisible = amount >= smallestTotal(terms)
    return {
      terms,
      reasons: [
        ...(isOnCredit(terms) ? creditReasons(amount, worth) : []),
        ...(isDivisible ? [] : (["amount_too_small"] as const))
      ],
      schedule: isDivisible ? instalmentSchedule(amount, terms, at) : []
    }
  })

const creditReasons = (
  amount: Amount,
  { free, isFrozen, isVerified }: Creditworthiness
): ReadonlyArray<TermsReason> => [
  ...(free === undefined ? (["not_assessed"] as const) : free < amount ? (["limit_too_small"] as const) : []),
  ...(isVerified ? [] : (["kyc_required"] as const)),
  ...(isFrozen ? (["overdue"] as const) : [])
]
