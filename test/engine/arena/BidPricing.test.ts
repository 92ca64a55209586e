import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { bidPricing, DEFAULT_MAKER_DISCOUNT } from "../../../engine/arena/BidPricing.ts"
import { limitPrice } from "../../../engine/arena/Commitment.ts"
import { format, fromUnits } from "../../../engine/money/Amount.ts"
import { anyDiscount, anyPrice, bidFor, commitment, usd } from "../../lib/ArenaArbitraries.ts"
import { atThePrice, fixedBids, study, withForesight } from "../../lib/BidStudy.ts"
import { property } from "../../lib/Property.ts"

const MILLION = 1_000_000n

const fixture = fc
  .record({ entryPrice: anyPrice, reference: anyPrice, discount: anyDiscount })
  .chain(({ discount, entryPrice, reference }) =>
    fc.record({
      terms: fc.constant({ entryPrice, ...discount }),
      reference: fc.constantFrom(reference, entryPrice, fromUnits(entryPrice + entryPrice / 50n)),
      bid: bidFor({ entryPrice, quantity: usd("10") })
    })
  )

describe("bidPricing", () => {
  it("lets a bid be as far from the reference as it was from the entry price, to one unit and up to its limit", () => {
    fc.assert(
      fc.property(fixture, ({ bid, reference, terms }) => {
        const { offered } = bidPricing(terms, reference)
        const limit = limitPrice(bid.proposedPrice, bid.slippage)
        const price = offered(bid)
        if (terms.makerDiscount === undefined) return expect(price).toBe(limit)
        expect(price <= limit && price * terms.entryPrice <= reference * bid.proposedPrice).toBe(true)
        const isNext = (price + 1n) * terms.entryPrice > reference * bid.proposedPrice
        return expect(isNext || price === limit).toBe(true)
      }),
      property()
    )
  })

  it("has the least reserve that is not further below the reference than the discount", () => {
    fc.assert(
      fc.property(fixture, ({ reference, terms }) => {
        const { reserve } = bidPricing(terms, reference)
        const least = reference * (MILLION - (terms.makerDiscount ?? 0n))
        expect(reserve * MILLION >= least && (reserve - 1n) * MILLION < least).toBe(true)
        expect(reserve <= reference).toBe(true)
      }),
      property()
    )
  })

  it("lets a bid at the price reach the reserve exactly where the reference is within its limit", () => {
    fc.assert(
      fc.property(fixture, ({ bid, reference, terms }) => {
        const { makerDiscount } = terms
        fc.pre(makerDiscount !== undefined)
        const atPrice = { ...bid, proposedPrice: terms.entryPrice }
        const { offered, reserve } = bidPricing(terms, reference)
        const limit = limitPrice(atPrice.proposedPrice, atPrice.slippage)
        if (reference <= limit) expect(offered(atPrice)).toBe(reference)
        expect(offered(atPrice) >= reserve).toBe(limit >= reserve)
      }),
      property()
    )
  })

  it.each([
    ["100", "0.02", "95", "95"],
    ["101", "0", "95", "95.95"],
    ["101", "0", "101", "101"],
    ["101", "0.01", "101", "102.01"],
    ["99", "0.02", "100", "99"]
  ])("of %s with a tolerance of %s at a reference of %s is %s", (proposed, slippage, reference, price) => {
    const bid = commitment(1, { proposedPrice: usd(proposed), slippage: usd(slippage) })
    const terms = { entryPrice: usd("100"), makerDiscount: usd("0.0005") }
    expect(format(bidPricing(terms, usd(reference)).offered(bid))).toBe(price)
  })
})

describe("over five hundred orders", () => {
  const ORDERS = 500
  /** In basis points. */
  const DISCOUNT = Number(DEFAULT_MAKER_DISCOUNT) / 100

  it.each([1, 8])("%i that know nothing and bid at the price are always filled, and lose nothing by it", (count) => {
    const { filled, isBounded, mostBelow, uninformedGain } = study(atThePrice(count), ORDERS, 12)
    expect([filled, isBounded]).toEqual([ORDERS, true])
    expect(mostBelow).toBeLessThanOrEqual(DISCOUNT)
    expect(uninformedGain).toBeGreaterThan(-2)
    expect(uninformedGain).toBeLessThan(DISCOUNT + 2)
  })

  it("one that foresees a third of the move earns by it", () => {
    const { filled, informedGain } = study(withForesight(3), ORDERS, 12)
    expect(filled).toBe(ORDERS)
    expect(informedGain).toBeGreaterThan(6)
  })

  it("those whose bids do not float are filled after the price fell, and lose by it", () => {
    const { filled, uninformedGain } = study(fixedBids(4), ORDERS, 12)
    expect(filled / ORDERS).toBeLessThan(0.6)
    expect(uninformedGain).toBeLessThan(-10)
  })
})
