import { describe, expect, it } from "bun:test"
import { COLUMNS, parseLoanRecords, readLoanData } from "../../../scripts/credit/LoanRecords.ts"
import { madeLoans } from "../../lib/LoanRecordsMade.ts"

const lines = madeLoans(300).trimEnd().split("\n")
const parsed = (line: string) => parseLoanRecords([...lines, line].join("\n")).at(-1)

describe("parseLoanRecords", () => {
  it("reads an application, an unknown employment as none", () => {
    expect(parsed("55000,OTHER,,HOMEIMPROVEMENT,3500,1")).toEqual({
      line: "55000,OTHER,,HOMEIMPROVEMENT,3500,1",
      annualIncome: 55_000,
      homeOwnership: false,
      empLength: 0,
      purpose: "home_improvement",
      loanAmt: 3_500,
      paidBack: false
    })
    expect(parsed("55000,MORTGAGE,7.0,VENTURE,3500,0")).toMatchObject({
      homeOwnership: true,
      empLength: 7,
      paidBack: true
    })
  })

  it.each([
    "55000,TENT,1,VENTURE,3500,0",
    "-1,OWN,1,VENTURE,3500,0",
    "55000,OWN,1.5,VENTURE,3500,0",
    "55000,OWN,1,YACHT,3500,0",
    "55000,OWN,1,VENTURE,,0",
    "55000,OWN,1,VENTURE,3500,2",
    "55000,OWN"
  ])("refuses %s and says where it stands", (line) => {
    expect(() => parsed(line)).toThrow(`line 302 is no application of ${COLUMNS}: ${line}`)
  })

  it("refuses other columns, and too few applications", () => {
    expect(() => parseLoanRecords("a,b\n1,2")).toThrow(`the first line must be ${COLUMNS}, not a,b`)
    expect(() => parseLoanRecords(`${COLUMNS}\n55000,OWN,1,VENTURE,3500,0`)).toThrow("1 applications are too few")
  })

  it("says which file is not there", () => {
    expect(() => readLoanData("nowhere.csv")).toThrow("there is no file nowhere.csv")
  })
})
