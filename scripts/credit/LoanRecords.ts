import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { type Purpose, purposeOf } from "../../engine/credit/Purpose.ts"

/** An application of the past and what became of it. */
export interface LoanRecord {
  /** The line it was read from, which decides its fifth. */
  readonly line: string
  /** Whole USD a year. */
  readonly annualIncome: number
  readonly homeOwnership: boolean
  /** Completed years. */
  readonly empLength: number
  readonly purpose: Purpose
  /** Whole USD. */
  readonly loanAmt: number
  readonly paidBack: boolean
}

export interface LoanData {
  readonly records: ReadonlyArray<LoanRecord>
  /** Of the file's bytes. */
  readonly sha256: string
}

/** Why the data cannot be read, as one line for a person. */
export class UnreadableData extends Error {}

export const COLUMNS = "annual_income,home_ownership,emp_length_years,purpose,loan_amount,defaulted"

/** Few records train nothing. */
const FEWEST = 200

const HOMES = new Map([
  ["OWN", true],
  ["MORTGAGE", true],
  ["RENT", false],
  ["OTHER", false]
])

const OUTCOMES = new Map([
  ["0", true],
  ["1", false]
])

/** A whole number, also where it is written with decimals of zero. */
const whole = (text: string): number | undefined => (/^\d{1,12}(\.0+)?$/.test(text) ? Number(text) : undefined)

const recordOf = (line: string, number: number): LoanRecord => {
  const [incomeText = "", homeText = "", yearsText = "", purposeText = "", loanText = "", outcome = ""] =
    line.split(",")
  const annualIncome = whole(incomeText)
  const homeOwnership = HOMES.get(homeText)
  // Nobody may gain by leaving it out, so an unknown time counts as the shortest.
  const empLength = whole(yearsText === "" ? "0" : yearsText)
  const purpose = purposeOf(purposeText)
  const loanAmt = whole(loanText)
  const paidBack = OUTCOMES.get(outcome)
  if (
    annualIncome === undefined ||
    homeOwnership === undefined ||
    empLength === undefined ||
    purpose === null ||
    loanAmt === undefined ||
    paidBack === undefined
  ) {
    throw new UnreadableData(`line ${number} is no application of ${COLUMNS}: ${line.slice(0, 200)}`)
  }
  return { line, annualIncome, homeOwnership, empLength, purpose, loanAmt, paidBack }
}

/** Reads the text of a file of past applications. Throws {@link UnreadableData}. */
export const parseLoanRecords = (text: string): ReadonlyArray<LoanRecord> => {
  const [header = "", ...lines] = text.trim().split(/\r?\n/)
  if (header !== COLUMNS) throw new UnreadableData(`the first line must be ${COLUMNS}, not ${header.slice(0, 200)}`)
  if (lines.length < FEWEST) throw new UnreadableData(`${lines.length} applications are too few: ${FEWEST} are needed`)
  return lines.map((line, index) => recordOf(line, index + 2))
}

/** Reads a file of past applications. Throws {@link UnreadableData}. */
export const readLoanData = (path: string): LoanData => {
  if (!existsSync(path)) throw new UnreadableData(`there is no file ${path}`)
  const bytes = readFileSync(path)
  return {
    records: parseLoanRecords(bytes.toString("utf8")),
    sha256: createHash("sha256").update(bytes).digest("hex")
  }
}
