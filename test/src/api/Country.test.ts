import { describe, expect, it } from "bun:test"
import { Option, Schema } from "effect"
import { getCountries } from "libphonenumber-js/min"
import { Country } from "../../../src/api/Country.ts"

const codeOf = (text: string): string | undefined => Option.getOrUndefined(Schema.decodeUnknownOption(Country)(text))

/** Has a telephone code and no code of ISO 3166-1. */
const NO_CODE = ["AC", "TA"]

describe("A country", () => {
  it("is read from its two letters, in any case", () => {
    const codes = getCountries().filter((code) => !NO_CODE.includes(code))
    expect(codes.filter((code) => codeOf(code) !== code)).toEqual([])
    expect(codes.filter((code) => codeOf(code.toLowerCase()) !== code)).toEqual([])
    expect(NO_CODE.map(codeOf)).toEqual([undefined, undefined])
  })

  it("is read from three letters and from its English names", () => {
    const written = {
      BEL: "BE",
      bel: "BE",
      Belgium: "BE",
      " belgium ": "BE",
      "United  States": "US",
      USA: "US",
      "united kingdom": "GB",
      UK: "GB",
      "Ivory Coast": "CI",
      Türkiye: "TR",
      Turkey: "TR",
      "Czech Republic": "CZ"
    }
    for (const [text, code] of Object.entries(written)) expect(codeOf(text)).toBe(code)
  })

  it("is nothing else", () => {
    expect(["EU", "ZZ", "B", "ZZZ", "Atlantis", "", " ", "toString", "constructor"].map(codeOf)).toEqual(
      Array.from({ length: 9 }, () => undefined)
    )
  })
})
