import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  type CreditRequest,
  MAX_DESCRIPTION,
  MAX_EMPLOYMENT,
  MAX_LOAN,
  MAX_PURPOSE,
  readApplication
} from "../../../engine/credit/CreditApplication.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { APPLICATION, REQUEST } from "../../lib/CreditArbitraries.ts"
import { property } from "../../lib/Property.ts"

const read = (changed: Partial<CreditRequest>) => readApplication({ ...REQUEST, ...changed })

const refusal = (changed: Partial<CreditRequest>) => {
  const result = read(changed)
  if (Result.isSuccess(result)) throw new Error(`taken: ${JSON.stringify(changed)}`)
  const { field, expected } = result.failure
  return { field, expected }
}

describe("readApplication", () => {
  it("takes the fields of the specification", () => {
    expect(Object.keys(REQUEST)).toEqual(["annualIncome", "homeOwnership", "empLength", "loanAmt", "purpose", "desc"])
    expect(Result.getOrThrow(readApplication(REQUEST))).toEqual(APPLICATION)
  })

  it("counts completed years", () => {
    for (const [text, years] of [
      ["0", 0],
      ["0.99", 0],
      ["2.75", 2],
      ["10", 10],
      [`${MAX_EMPLOYMENT}`, MAX_EMPLOYMENT]
    ] as const) {
      expect(Result.getOrThrow(read({ empLength: text })).empLength).toBe(years)
    }
  })

  it("reads decimals of the income exactly", () => {
    expect(Result.getOrThrow(read({ annualIncome: 51_234.56 })).annualIncome).toBe(fromUnits(51_234_560_000n))
    expect(Result.getOrThrow(read({ annualIncome: 0 })).annualIncome).toBe(fromUnits(0n))
  })

  it("reads years as people write them", () => {
    const written = {
      "9": 9,
      "2.75": 2,
      "5 years": 5,
      "1 year": 1,
      "10+ years": 10,
      "10+": 10,
      "7yrs": 7,
      "< 1 year": 0,
      "<1 year": 0,
      "less than one year": 0
    }
    for (const [empLength, years] of Object.entries(written)) {
      expect(Result.getOrThrow(read({ empLength })).empLength).toBe(years)
    }
    for (const empLength of ["years", "+ years", "< 2 years", "10 + 2 years", "5 months", "81 years", "n/a"]) {
      expect(Result.isFailure(read({ empLength }))).toBe(true)
    }
  })

  it("takes the ends of its ranges", () => {
    for (const loanAmt of [1, MAX_LOAN]) expect(Result.getOrThrow(read({ loanAmt })).loanAmt).toBe(loanAmt)
    expect(Result.isSuccess(read({ purpose: "x".repeat(MAX_PURPOSE) }))).toBe(true)
    expect(Result.isSuccess(read({ desc: "x".repeat(MAX_DESCRIPTION) }))).toBe(true)
    expect(Result.isSuccess(read({ desc: "" }))).toBe(true)
  })

  it("keeps a purpose that the model does not know", () => {
    expect(Result.getOrThrow(read({ purpose: "yacht" })).purpose).toBeNull()
  })

  it.each([
    ["annualIncome", -1, "a non-negative decimal number"],
    ["annualIncome", Number.NaN, "a non-negative decimal number"],
    ["annualIncome", Number.POSITIVE_INFINITY, "a non-negative decimal number"],
    ["annualIncome", 8_000_000_001, "at most 8000000000"],
    ["empLength", "", "years from 0 to 80 with at most 2 decimals, such as 9, 5 years, 10+ years or < 1 year"],
    ["empLength", "-1", "years from 0 to 80 with at most 2 decimals, such as 9, 5 years, 10+ years or < 1 year"],
    ["empLength", "80.01", "years from 0 to 80 with at most 2 decimals, such as 9, 5 years, 10+ years or < 1 year"],
    ["empLength", "1e1", "years from 0 to 80 with at most 2 decimals, such as 9, 5 years, 10+ years or < 1 year"],
    ["empLength", "five", "years from 0 to 80 with at most 2 decimals, such as 9, 5 years, 10+ years or < 1 year"],
    ["loanAmt", 0, "an integer from 1 to 2147483647"],
    ["loanAmt", 1.5, "an integer from 1 to 2147483647"],
    ["loanAmt", MAX_LOAN + 1, "an integer from 1 to 2147483647"],
    ["purpose", " ", "1 to 100 characters"],
    ["purpose", "x".repeat(MAX_PURPOSE + 1), "1 to 100 characters"],
    ["desc", "x".repeat(MAX_DESCRIPTION + 1), "at most 2000 characters"]
  ] as const)("refuses a wrong %s, case %#", (field, value, expected) => {
    expect(refusal({ [field]: value })).toEqual({ field, expected })
  })

  it("answers anything of the right types", () => {
    const anyRequest = fc.record({
      annualIncome: fc.double(),
      homeOwnership: fc.boolean(),
      empLength: fc.string(),
      loanAmt: fc.oneof(fc.integer(), fc.double()),
      purpose: fc.string(),
      desc: fc.string()
    })
    fc.assert(
      fc.property(anyRequest, (request) => {
        const result = readApplication(request)
        if (Result.isFailure(result)) return
        expect(result.success.annualIncome).toBeGreaterThanOrEqual(0n)
        expect(Number.isInteger(result.success.empLength)).toBe(true)
        expect(Number.isInteger(result.success.loanAmt)).toBe(true)
      }),
      property()
    )
  })
})
