import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import { getCountries } from "libphonenumber-js/min"
import { Country } from "../../../src/api/Country.ts"

const isCountry = Schema.is(Country)

/** Has a telephone code and no code of ISO 3166-1. */
const NO_CODE = ["AC", "TA", "XK"]

describe("A country", () => {
  it("is one of ISO 3166-1, by its two letters", () => {
    expect(getCountries().filter((code) => !isCountry(code))).toEqual(NO_CODE as never)
    expect(["AQ", "BV", "UM"].filter((code) => !isCountry(code))).toEqual([])
    expect(["EU", "UK", "ZZ", "be", "BEL", "Belgium", ""].filter(isCountry)).toEqual([])
  })
})
