import { describe, expect, it } from "bun:test"
import { millisOf, pricedAsset, recordedAuction, unitsOf } from "../../../engine/market/PublishedAuction.ts"
import { toNumber } from "../../../engine/money/Amount.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const { published } = recordedMarket({ seed: 61, orders: 20, traders: 8, faults: false })

describe("PublishedAuction", () => {
  it("says the same as the engine takes it", () => {
    for (const auction of published) {
      const { bids, terms } = recordedAuction(auction)
      expect([terms.orderId, toNumber(terms.entryPrice)]).toEqual([auction.order_id, auction.entry_price])
      expect(new Date(terms.expiryAt).toISOString()).toBe(`${auction.expiry_date}Z`)
      expect(new Set(bids.map(({ commitmentId }) => commitmentId))).toEqual(
        new Set(auction.commitments.map((bid) => bid.commitment_id))
      )
      expect(bids.map(({ ordinal }) => ordinal)).toEqual(bids.map(({ ordinal }) => ordinal).toSorted((a, b) => a - b))
      for (const bid of bids) {
        const shown = auction.commitments.find((one) => one.commitment_id === bid.commitmentId)
        expect([toNumber(bid.quantity), toNumber(bid.slippage)]).toEqual([
          shown?.quantity as number,
          shown?.slippage_tolerance as number
        ])
        expect(new Date(bid.acceptedAt).toISOString()).toBe(shown?.accepted_at as string)
      }
    }
  })

  it("takes times with and without a zone, and refuses figures that no auction has", () => {
    expect(millisOf("2026-01-31T12:00:00.000")).toBe(millisOf("2026-01-31T12:00:00.000Z"))
    expect(() => unitsOf(-1)).toThrow()
    expect(() => unitsOf(Number.NaN)).toThrow()
    expect(pricedAsset({ asset_type: "options", asset_details: { underlying: "BTC", type: "call" } })).toBe("BTC")
  })
})
