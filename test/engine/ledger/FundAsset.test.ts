import { expect, it } from "bun:test"
import { FUND_ASSETS } from "../../../engine/ledger/FundAsset.ts"

it("holds USD and everything that has a price, once", () => {
  expect(FUND_ASSETS).toContain("USD")
  expect(FUND_ASSETS).toContain("EUR")
  expect(FUND_ASSETS).toContain("XAU")
  expect(new Set(FUND_ASSETS).size).toBe(FUND_ASSETS.length)
  for (const asset of FUND_ASSETS) expect(asset).toMatch(/^[A-Z0-9]{2,12}$/)
})
