import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { formatPair, parsePair } from "../../../engine/fx/CurrencyPair.ts"
import { FUND_ASSETS } from "../../../engine/ledger/FundAsset.ts"
import { property } from "../../lib/Property.ts"

describe("CurrencyPair", () => {
  it("reads two symbols in any case, with a separator or none between", () => {
    for (const text of ["EUR/USD", "eur/usd", "Eur-Usd", "EUR_USD", "EURUSD", "eurusd"]) {
      expect(parsePair(text)).toEqual({ base: "EUR", quote: "USD" })
    }
    expect(parsePair("EUR/USD")).toEqual({ base: "EUR", quote: "USD" })
    expect(parsePair("USD/USD")).toEqual({ base: "USD", quote: "USD" })
  })

  it.each(["", "EUR", "EUR/", "/USD", "EUR//USD", "EUR/USD/GBP", "EURUSDGBP", "EUR /USD", "EUR/ZZZ", "EUR USD"])(
    "reads nothing from %p",
    (text) => expect(parsePair(text)).toBeUndefined()
  )

  it("reads back what it writes, and takes no other text", () => {
    const asset = fc.constantFrom(...FUND_ASSETS)
    fc.assert(
      fc.property(asset, asset, fc.string(), (base, quote, text) => {
        expect(parsePair(formatPair({ base, quote }))).toEqual({ base, quote })
        const parsed = parsePair(text)
        if (parsed !== undefined) expect(formatPair(parsed)).toBe(text)
      }),
      property()
    )
  })
})
