import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { exitOf, pricesAtChoice } from "../../../engine/market/ExitKnowledge.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 51, orders: 160, traders: 8, faults: false })

const settled = market.auctions.filter(
  ({ published, terms }) => published.settlement_price !== null && terms.assetType !== "options"
)

const pricesOf = (auction: (typeof settled)[number], scale = 1n) =>
  pricesAtChoice(
    auction,
    market.medians
      .filter(({ asset, at }) => asset === auction.terms.asset && at >= auction.terms.expiryAt)
      .map((median) => ({ ...median, price: fromUnits(median.price * scale) }))
  )

describe("ExitKnowledge", () => {
  it("is by the rule where prices are whole, and says no less without them: what it calls published is the same", () => {
    const seen = { recorded: 0, published: 0, estimated: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(...settled.keys()),
        fc.oneof(fc.integer({ min: -5_000, max: 20_000 }), fc.constant(ONE)),
        (index, above) => {
          const auction = settled[index]
          const winner = auction?.bids.find(({ commitmentId: id }) => id === auction.published.winner_commitment_id)
          if (auction === undefined || winner === undefined) return
          const exitPrice = fromUnits((auction.terms.entryPrice * (ONE + BigInt(above))) / ONE)
          const recorded = exitOf(auction, { ...winner, exitPrice }, pricesOf(auction))
          const published = exitOf(auction, { ...winner, exitPrice }, undefined)
          expect(recorded?.basis).toBe("recorded")
          if (published?.basis === "published") expect(published.price).toBe(recorded?.price as never)
          seen.recorded += 1
          seen[published?.basis ?? "recorded"] += 1
        }
      ),
      property()
    )
    expect(seen.published).toBeGreaterThan(20)
  })

  it("is the published price of the real winner, with prices and without", () => {
    for (const auction of settled) {
      const winner = auction.bids.find(({ commitmentId: id }) => id === auction.published.winner_commitment_id)
      if (winner === undefined) throw new Error("settled without a winner")
      const price = fromUnits(BigInt(Math.round((auction.published.settlement_price ?? 0) * 1e6)))
      for (const prices of [pricesOf(auction), undefined]) expect(exitOf(auction, winner, prices)?.price).toBe(price)
    }
  })

  it("takes no prices that give another reference, and none that give another settlement price", () => {
    const auction = settled.find(({ bids }) => bids.every(({ exitPrice }) => exitPrice > 0n))
    if (auction === undefined) throw new Error("nothing was settled")
    expect(pricesOf(auction, 2n)).toBeUndefined()
    const prices = pricesOf(auction)
    const [first, ...rest] = prices?.medians ?? []
    if (prices === undefined || first === undefined) throw new Error("no prices")
    const altered = {
      ...prices,
      medians: [first, ...rest.map((one) => ({ ...one, price: fromUnits(one.price / 2n) }))]
    }
    const held = { exitPrice: fromUnits(8_000_000_000n * ONE) }
    expect(exitOf(auction, { ...auction.bids[0]!, ...held }, altered)?.basis).not.toBe("recorded")
  })
})
