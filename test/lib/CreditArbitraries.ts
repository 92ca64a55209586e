import fc from "fast-check"
import type { CreditApplication, CreditRequest } from "../../engine/credit/CreditApplication.ts"
import { type Purpose, PURPOSES } from "../../engine/credit/Purpose.ts"
import { fromUnits, MAX, ONE } from "../../engine/money/Amount.ts"

/** Any income, and often one among those that the model tells apart. */
export const anyIncome = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 150_000n * ONE }),
    fc.bigInt({ min: 0n, max: 150n }).map((thousands) => thousands * 1_000n * ONE),
    fc.bigInt({ min: 0n, max: MAX })
  )
  .map(fromUnits)

export const anyLoan = fc.oneof(
  fc.integer({ min: 1, max: 40_000 }),
  fc.integer({ min: 1, max: 70 }).map((halfThousands) => halfThousands * 500),
  fc.integer({ min: 1, max: 2_147_483_647 })
)

export const anyYears = fc.integer({ min: 0, max: 80 })

const anyPurpose: fc.Arbitrary<Purpose | null> = fc.constantFrom(...PURPOSES, null)

export const anyApplication: fc.Arbitrary<CreditApplication> = fc.record({
  annualIncome: anyIncome,
  homeOwnership: fc.boolean(),
  empLength: anyYears,
  loanAmt: anyLoan,
  purpose: anyPurpose
})

/** An applicant of the middle. */
export const APPLICATION: CreditApplication = {
  annualIncome: fromUnits(65_000n * ONE),
  homeOwnership: true,
  empLength: 5,
  loanAmt: 9_000,
  purpose: "venture"
}

/** The same as it is asked. */
export const REQUEST: CreditRequest = {
  annualIncome: 65_000,
  homeOwnership: true,
  empLength: "5",
  loanAmt: 9_000,
  purpose: "venture",
  desc: "Stock for the season"
}
