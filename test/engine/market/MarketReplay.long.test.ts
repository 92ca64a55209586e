import { describe, expect, it } from "bun:test"
import { reproduce } from "../../../engine/market/Reproduction.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { idle, traded } from "../../lib/MarketTrader.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

/** 25 times 400 orders. */
const SEEDS = 25

describe("MarketReplay over 10,000 recorded auctions", () => {
  it("makes of unchanged bids every published winner and clearing price", () => {
    let [auctions, same] = [0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const market = recordedMarket({ seed, orders: 400, traders: 4, faults: false })
      auctions += market.auctions.length
      same += market.auctions.filter((auction) => reproduce(auction, hashing.tieHash) === "same").length
      for (const { clearingPrice, orderId, published, reproduction, winner } of traded(market, idle).outcomes) {
        expect([orderId, reproduction === "different"]).toEqual([orderId, false])
        expect([orderId, winner, clearingPrice]).toEqual([orderId, published.winner, published.clearingPrice])
      }
    }
    expect(auctions).toBe(10_000)
    expect(same).toBeGreaterThan(9_500)
  }, 300_000)
})
