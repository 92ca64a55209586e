import { describe, expect, it } from "bun:test"
import { competingBid, endedOrder, liveOrder, rankedBid } from "../../../engine/market/AuctionView.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"
import { idle, traded } from "../../lib/MarketTrader.ts"

const market = recordedMarket({ seed: 71, orders: 20, traders: 8, faults: false })

describe("AuctionView", () => {
  it("of an order at its end, with nothing changed, is the published order", () => {
    const { moments } = traded(market, idle)
    const last = new Map(
      moments.flatMap(({ events }) =>
        events.flatMap((frame) => (frame.type === "order_updated" ? [[frame.data.order_id, frame.data] as const] : []))
      )
    )
    for (const { commitments: _, ...order } of market.published) {
      expect(JSON.parse(JSON.stringify(last.get(order.order_id)))).toEqual(JSON.parse(JSON.stringify(order)))
    }
  })

  it("of a live order and of a competing bid shows nothing that the choice decides", () => {
    const order = market.published.find(({ commitments }) => commitments.length > 0)
    const [bid] = order?.commitments ?? []
    if (order === undefined || bid === undefined) throw new Error("nobody bid")
    const live = liveOrder(order, "open")
    expect([live.reference_price, live.tie_key, live.fairness, live.status]).toEqual([null, null, null, "open"])
    expect("commitments" in live).toBe(false)
    const open = competingBid(order, bid)
    expect([open.rank, open.owner_id, open.status]).toEqual([null, null, "active"])
    expect(open.proposed_entry_price).toBe(bid.proposed_entry_price)
    expect(competingBid({ ...order, bids: "sealed" }, bid).proposed_entry_price).toBeNull()
    expect(rankedBid(order, bid, { reason: null, score: 5n }, 1)).toMatchObject({ rank: 1, score: "5", status: "won" })
    expect(endedOrder({ ...order, void_reason: "no_reference_price" }, undefined, null).void_reason).not.toBeNull()
  })
})
