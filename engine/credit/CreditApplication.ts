import { Result, Schema } from "effect"
import { isSealed } from "../erasure/SealedText.ts"
import { type Amount, fromNumber } from "../money/Amount.ts"
import { parseUnits } from "../money/Decimal.ts"
import { type Purpose, purposeOf } from "./Purpose.ts"
import { refusal } from "../wire/Refusal.ts"

/** What is asked, in the fields of Specification 2.8. */
export const CreditRequest = Schema.Struct({
  /** USD. */
  annualIncome: Schema.Number,
  /** Whether the home is owned or mortgaged. */
  homeOwnership: Schema.Boolean,
  /** Years in the current employment. */
  empLength: Schema.String,
  /** USD. */
  loanAmt: Schema.Int,
  purpose: Schema.String,
  /** Kept for people to read; it never counts. */
  desc: Schema.String
})
export type CreditRequest = typeof CreditRequest.Type

/** What is scored: a request whose fields were read. */
export interface CreditApplication {
  /** USD. */
  readonly annualIncome: Amount
  readonly homeOwnership: boolean
  /** Completed years in the current employment. */
  readonly empLength: number
  /** Whole USD, at least 1. */
  readonly loanAmt: number
  /** Null for a purpose that the model does not know. */
  readonly purpose: Purpose | null
}

/** A field that cannot be taken: `expected` says what would be. */
export class InvalidApplication extends refusal(
  "InvalidApplication",
  "invalid_request",
  ({ expected, field }: { readonly field: keyof CreditRequest; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

/** The longest employment that is believed, in years. */
export const MAX_EMPLOYMENT = 80

/** The largest int32. */
export const MAX_LOAN = 2_147_483_647

/** Characters of a purpose. */
export const MAX_PURPOSE = 100

/** Characters of a description. */
export const MAX_DESCRIPTION = 2_000

const EMPLOYMENT_DECIMALS = 2
const EMPLOYMENT_ONE = 100n

/** Years as people write them: `9`, `2.75`, `5 years`, `1 year`, `10+ years`. */
const YEARS = /^(\S+?)\s*(?:\+\s*)?(?:years?|yrs?)?$/i

const LESS_THAN_ONE = /^(?:<|less than)\s*(?:1|one)\s*(?:years?|yrs?)?$/i

/** Completed years: `2.75` are 2, `10+ years` are 10, `< 1 year` are none. */
const completedYears = (text: string): number | undefined => {
  const written = text.trim()
  if (LESS_THAN_ONE.test(written)) return 0
  const units = parseUnits(YEARS.exec(written)?.[1] ?? "", EMPLOYMENT_DECIMALS)
  return units === undefined || units > BigInt(MAX_EMPLOYMENT) * EMPLOYMENT_ONE
    ? undefined
    : Number(units / EMPLOYMENT_ONE)
}

/** A sealed text was measured before it was sealed. */
const isTooLong = (text: string, most: number): boolean => text.length > most && !isSealed(text)

const refused = (field: keyof CreditRequest, expected: string): Result.Result<never, InvalidApplication> =>
  Result.fail(new InvalidApplication({ field, expected }))

/** Reads a request's fields. Refuses the first that cannot be taken, by {@link InvalidApplication}. */
export const readApplication = (request: CreditRequest): Result.Result<CreditApplication, InvalidApplication> => {
  const { homeOwnership, loanAmt } = request
  const income = fromNumber(request.annualIncome)
  if (Result.isFailure(income)) return refused("annualIncome", income.failure.expected)
  const empLength = completedYears(request.empLength)
  if (empLength === undefined) {
    return refused(
      "empLength",
      `years from 0 to ${MAX_EMPLOYMENT} with at most ${EMPLOYMENT_DECIMALS} decimals, such as 9, 5 years, 10+ years or < 1 year`
    )
  }
  if (!Number.isInteger(loanAmt) || loanAmt < 1 || loanAmt > MAX_LOAN) {
    return refused("loanAmt", `an integer from 1 to ${MAX_LOAN}`)
  }
  if (request.purpose.trim() === "" || isTooLong(request.purpose, MAX_PURPOSE)) {
    return refused("purpose", `1 to ${MAX_PURPOSE} characters`)
  }
  if (isTooLong(request.desc, MAX_DESCRIPTION)) return refused("desc", `at most ${MAX_DESCRIPTION} characters`)
  return Result.succeed({
    annualIncome: income.success,
    homeOwnership,
    empLength,
    loanAmt,
    purpose: purposeOf(request.purpose)
  })
}
