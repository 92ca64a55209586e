import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { limitPrice } from "../../../engine/arena/Commitment.ts"
import { bestBid } from "../../../engine/market/BestBid.ts"
import type { BidRequest } from "../../../engine/market/ReplayedAuction.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { bidFor } from "../../lib/ArenaArbitraries.ts"
import { bidding, only, traded } from "../../lib/MarketTrader.ts"
import { property } from "../../lib/Property.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 41, orders: 160, traders: 6, faults: false })

const chosen = market.auctions.filter(
  ({ published }) => published.reference_price !== null && published.void_reason === null
)

/** A take-profit that no price reaches. */
const exitPrice = fromUnits(8_000_000_000n * ONE)
const slippage = fromUnits(50_000n)

describe("BestBid", () => {
  it("is beaten by no bid, wins what it says, and would not win for less", () => {
    const cases = fc
      .constantFrom(...chosen.keys())
      .chain((index) => fc.tuple(fc.constant(index), bidFor(chosen[index]?.terms ?? market.auctions[0]!.terms)))
    let found = 0
    fc.assert(
      fc.property(cases, ([index, bid]) => {
        const auction = chosen[index]
        if (auction === undefined) return
        const history = { auctions: [auction], medians: market.medians }
        const { orderId } = auction.terms
        const play = (change: Partial<BidRequest>) =>
          only(traded(history, bidding({ orderId, ...bid, exitPrice, ...change })).outcomes)
        const { best, profit } = play({})
        expect((profit ?? 0n) <= (best?.profit ?? 0n)).toBe(true)
        if (best === null) return
        found += 1
        const { proposedPrice, quantity } = best
        const again = play({ slippage, proposedPrice, quantity })
        expect([again.won, again.clearingPrice, again.profit]).toEqual([true, best.clearingPrice, best.profit])
        const lower = fromUnits(proposedPrice - 1n)
        if (limitPrice(lower, slippage) < auction.terms.entryPrice) return
        expect(play({ slippage, proposedPrice: lower, quantity }).won).toBe(false)
      }),
      property()
    )
    expect(found).toBeGreaterThan(5)
  })

  it("is none where there is no money, or the price did not rise", () => {
    const [auction] = chosen
    const [bidder] = auction?.bids ?? []
    if (auction === undefined || bidder === undefined) throw new Error("nobody bid")
    const reference = auction.terms.entryPrice
    const search = { auction, rivals: [], bidder, reference, tieHash: () => "", budget: fromUnits(10_000n * ONE) }
    const risen = fromUnits(reference * 2n)
    expect(bestBid({ ...search, exit: risen })?.quantity).toBe(auction.terms.quantity)
    expect(bestBid({ ...search, exit: risen, budget: fromUnits(0n) })).toBeUndefined()
    expect(bestBid({ ...search, exit: fromUnits(1n) })).toBeUndefined()
  })
})
