import { Result } from "effect"
import { getCountrySpecifications, isValidBBAN, isValidBIC, isValidIBAN } from "ibantools"
import { refusal } from "../../engine/wire/Refusal.ts"

/** An account outside as a caller writes it. Specification 2.13. */
export interface GivenAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly country?: string
  readonly bankId?: string
}

/** An account outside whose numbers were checked, written without spaces and in capitals. */
export interface BankAccount {
  readonly accountName: string
  readonly accountNumber: string
  /** Two letters of ISO 3166. */
  readonly country: string | undefined
  readonly bankId: string | undefined
}

/** A number cannot be right. */
export class InvalidBankAccount extends refusal(
  "InvalidBankAccount",
  "invalid_request",
  ({ expected, field }: { readonly field: "accountNumber" | "country" | "bankId"; readonly expected: string }) =>
    `payload.${field}: Expected ${expected}`
) {}

const invalid = (field: InvalidBankAccount["field"], expected: string) =>
  Result.fail(new InvalidBankAccount({ field, expected }))

const compact = (text: string): string => text.replaceAll(/[\s-]/g, "").toUpperCase()

const IBAN_SHAPE = /^([A-Z]{2})\d{2}/
const NATIONAL = /^[A-Z0-9]{4,34}$/
const BANK = /^[A-Z0-9]{2,34}$/
const BIC_SHAPE = /^[A-Z]{4}[A-Z0-9]{4}(?:[A-Z0-9]{3})?$/

/** Weights of the digits of a routing number of the American Bankers Association; their sum is a multiple of ten. */
const ROUTING_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

const isRoutingNumber = (digits: string): boolean =>
  /^\d{9}$/.test(digits) &&
  ROUTING_WEIGHTS.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 10 === 0

const countries = getCountrySpecifications()

/** Whether a country's own account numbers have a form that is known. */
const hasForm = (country: string): boolean => typeof countries[country]?.bban_regexp === "string"

const checkNumber = (
  number: string,
  country: string | undefined
): Result.Result<string | undefined, InvalidBankAccount> => {
  const of = IBAN_SHAPE.exec(number)?.[1]
  if (of !== undefined) {
    if (!isValidIBAN(number)) return invalid("accountNumber", "an IBAN whose length and check digits are right")
    return country === undefined || country === of ? Result.succeed(of) : invalid("country", `${of}, as the IBAN says`)
  }
  if (!NATIONAL.test(number))
    return invalid("accountNumber", "an IBAN, or a national number of 4 to 34 letters and digits")
  return country !== undefined && hasForm(country) && !isValidBBAN(number, country)
    ? invalid("accountNumber", `an IBAN, or an account number in the form of ${country}`)
    : Result.succeed(country)
}

const checkBank = (
  bankId: string | undefined,
  country: string | undefined
): Result.Result<void, InvalidBankAccount> => {
  if (bankId === undefined) return Result.void
  if (!BANK.test(bankId)) return invalid("bankId", "a BIC, or a national number of 2 to 34 letters and digits")
  if (BIC_SHAPE.test(bankId)) return isValidBIC(bankId) ? Result.void : invalid("bankId", "a BIC of a country's bank")
  return country === "US" && !isRoutingNumber(bankId)
    ? invalid("bankId", "a BIC, or a routing number of nine digits whose check digit is right")
    : Result.void
}

/** Checks the numbers of an account as far as they can be: an IBAN, a national number and a BIC by their own rules. */
export const checkAccount = (given: GivenAccount): Result.Result<BankAccount, InvalidBankAccount> => {
  const accountNumber = compact(given.accountNumber)
  const bankId = given.bankId === undefined ? undefined : compact(given.bankId)
  return Result.flatMap(checkNumber(accountNumber, given.country), (country) =>
    Result.map(checkBank(bankId, country), () => ({
      accountName: given.accountName,
      accountNumber,
      country,
      bankId
    }))
  )
}
