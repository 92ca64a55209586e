import { describe, expect, it } from "bun:test"
import { isPhoneNumber } from "../../../src/kyc/PhoneNumber.ts"

describe("A phone number", () => {
  const good = [
    ["+32 470 12 34 56", "BE"],
    ["0470 12 34 56", "BE"],
    ["+1 (555) 010-9999", "US"],
    ["(555) 010-9999", "US"],
    ["+44 20 7946 0958", "BE"],
    ["+886 2 2345 6789", "AQ"]
  ] as const
  const bad = [
    ["", "BE"],
    ["12", "BE"],
    ["+32 470", "BE"],
    ["0470 12 34 56", "AQ"],
    ["call +32 470 12 34 56", "BE"],
    ["+999 470 12 34 56", "BE"],
    ["+32 470 12 34 56 78 90 12", "BE"]
  ] as const

  it("is one of its country, or any with its country code", () => {
    expect(good.filter(([text, country]) => !isPhoneNumber(text, country))).toEqual([])
  })

  it("is nothing else", () => {
    expect(bad.filter(([text, country]) => isPhoneNumber(text, country))).toEqual([])
  })
})
