import { describe, expect, it } from "bun:test"
import { recordedAuction } from "../../../engine/market/PublishedAuction.ts"
import { reproduce } from "../../../engine/market/Reproduction.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 31, orders: 40, traders: 8, faults: false })

const reproduction = (published: Parameters<typeof recordedAuction>[0]) =>
  reproduce(recordedAuction(published), hashing.tieHash)

describe("Reproduction", () => {
  it("finds an altered winner, price, rank, score or reason, and a bid that is missing", () => {
    const published = market.published.find(
      ({ commitments, void_reason: reason }) => commitments.length > 2 && reason === null
    )
    if (published === undefined) throw new Error("no auction has three bids")
    expect(reproduction(published)).toBe("same")
    const [first, second] = published.commitments
    const bids = (change: object) => ({
      ...published,
      commitments: published.commitments.map((bid) => (bid === first ? { ...bid, ...change } : bid))
    })
    const forged = [
      { ...published, winner_commitment_id: null },
      { ...published, winner_commitment_id: published.commitments.find(({ rank }) => rank === 2)?.commitment_id ?? "" },
      { ...published, clearing_price: (published.clearing_price ?? 0) + 0.000001 },
      { ...published, reference_price: (published.reference_price ?? 0) * 1.01 },
      { ...published, commitments: published.commitments.filter((bid) => bid !== second) },
      bids({ rank: 100 }),
      bids({ score: "1" }),
      bids({ loss_reason: "void" })
    ]
    for (const [index, one] of forged.entries()) expect([index, reproduction(one)]).toEqual([index, "different"])
  })

  it("has nothing to make again of an order that was void, or that nobody committed to", () => {
    const [published] = market.published
    if (published === undefined) throw new Error("no auction ended")
    expect(reproduction({ ...published, void_reason: "no_settlement_price" })).toBe("unchosen")
    expect(reproduction({ ...published, reference_price: null })).toBe("unchosen")
  })
})
