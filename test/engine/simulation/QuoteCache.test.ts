import { describe, expect, it } from "bun:test"
import type { Median } from "../../../engine/arena/Median.ts"
import { QuoteCache } from "../../../engine/simulation/QuoteCache.ts"
import { terms, usd } from "../../lib/ArenaArbitraries.ts"

const details = { underlying: "XAU", type: "call", strike: 4_000, expiry: "2027-03-01", implied_volatility: 0.2 }
const median: Median = { asset: "XAU", at: 1_800_000_000_000, price: usd("4000"), safe: true }

describe("QuoteCache", () => {
  it("prices an option once for each median, and leaves other prices as they are", () => {
    const told: Array<string> = []
    const quotes = new QuoteCache((orderId, { at }) => void told.push(`${orderId} ${at}`))
    const option = terms({ orderId: "ord_1", assetType: "options", asset: "XAU", details })
    const priced = quotes.of(option, median)
    expect(priced.price < median.price).toBe(true)
    expect(quotes.of(option, median)).toBe(priced)
    expect(quotes.of(terms(), median)).toBe(median)
    expect(told).toEqual([`ord_1 ${median.at}`])
  })
})
