import { describe, expect, it } from "bun:test"
import type { MarketFrame } from "../../../engine/market/MarketFrame.ts"
import { extensionOf } from "../../../scripts/ExtensionLoading.ts"
import { bidOf } from "../../../src/arena/ProgramBids.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const heard: Array<MarketFrame> = []
const listener = {
  channels: ["orders", "commitments"],
  onEvent: (event: MarketFrame) => void heard.push(event)
}
const market = recordedMarket({ seed: 71, orders: 24, traders: 8, faults: false }, "open", extensionOf(listener, bidOf))

/** As JSON has it. */
const plain = (value: object): object => JSON.parse(JSON.stringify(value))

describe("A simulated auction in public", () => {
  it("is at its end what the platform publishes of it", () => {
    const ends = heard.flatMap((frame) =>
      frame.type === "order_updated" && frame.data.status === "settled" ? [frame.data] : []
    )
    expect(ends.length).toBe(24)
    for (const order of ends) {
      const published = market.published.find(({ order_id: id }) => id === order.order_id)
      expect(published).toMatchObject(plain(order))
    }
    expect(ends.filter(({ winner_commitment_id: winner }) => winner !== null).length).toBeGreaterThan(5)
  })

  it("ranks the bids as the platform publishes them, and shows of a competing one what others may see", () => {
    const bids = new Map(
      market.published.flatMap(({ commitments }) => commitments.map((bid) => [bid.commitment_id, bid]))
    )
    let ranked = 0
    for (const frame of heard) {
      if (frame.type !== "commitment_updated") continue
      const { order_id: _, status, ...bid } = frame.data
      const published = bids.get(bid.commitment_id)
      if (bid.rank === null) {
        const { accepted_at: at, loss_reason: reason, owner_id: owner, score, slippage_tolerance: slippage } = bid
        expect([at, reason, owner, score, slippage, status]).toEqual([null, null, null, null, null, "active"])
        continue
      }
      ranked += 1
      expect(published).toMatchObject(plain(bid))
    }
    expect(ranked).toBeGreaterThan(20)
  })
})
