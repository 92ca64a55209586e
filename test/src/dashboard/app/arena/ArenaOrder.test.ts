import { describe, expect, it } from "bun:test"
import { pricedAsset } from "../../../../../engine/market/PublishedAuction.ts"
import { assetName, assetNote, timesOf, unitPrice } from "../../../../../src/dashboard/app/arena/ArenaOrder.ts"

const fx = { asset_type: "fx", asset_details: { pair: "EUR/USD" } } as const
const gold = { asset_type: "commodity", asset_details: { symbol: "XAU", name: "Gold", unit: "troy ounce" } } as const
const gpu = {
  asset_type: "gpu",
  asset_details: { model: "H100-SXM", provider: "list", region: "us-west", hours: 12 }
} as const
const option = {
  asset_type: "options",
  asset_details: { underlying: "BTC", type: "call", strike: 60_000, expiry: "2026-12-18", implied_volatility: 0.5 }
} as const

describe("An order", () => {
  it("is named by what it is about", () => {
    expect([fx, gold, gpu, option].map(assetName)).toEqual(["EUR/USD", "XAU", "H100-SXM", "BTC call 60000"])
    expect([fx, gold, gpu, option].map(pricedAsset)).toEqual(["EUR/USD", "XAU", "H100-SXM", "BTC"])
    expect([fx, gold, gpu, option].map(assetNote)).toEqual([
      "Exchange rate",
      "Gold, troy ounce",
      "12 hours in us-west",
      "Expires 2026-12-18"
    ])
  })

  it("is worth its asset's price, an option its premium", () => {
    const at = Date.parse("2026-12-18T00:00:00.000Z")
    expect(unitPrice(gold, 4_000, at)).toBe(4_000)
    expect(unitPrice(option, 61_000, at)).toBe(1_000)
    expect(unitPrice(option, 59_000, at)).toBe(0)
    expect(unitPrice(option, 60_000, at - 86_400_000)).toBeGreaterThan(0)
    expect(unitPrice(option, 0, at)).toBeUndefined()
  })

  it("has its times in UTC", () => {
    expect(
      timesOf({
        opened_at: "1970-01-01T00:00:01.000",
        expiry_date: "1970-01-01T00:00:02.000",
        settlement_date: "1970-01-01T00:00:03.500"
      })
    ).toEqual({ openedAt: 1_000, expiryAt: 2_000, settlementAt: 3_500 })
  })
})
