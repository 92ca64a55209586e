import { describe, expect, it } from "bun:test"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { only, traded, type Trading } from "../../lib/MarketTrader.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 11, orders: 40, traders: 8, faults: false })

const auction = market.auctions.find(({ published }) => published.void_reason === null)
if (auction === undefined) throw new Error("no auction was settled")

const { entryPrice, orderId, quantity } = auction.terms

const bid = {
  orderId,
  proposedPrice: entryPrice,
  exitPrice: fromUnits(entryPrice * 2n),
  quantity: fromUnits(quantity / 4n),
  slippage: ZERO
}

/** Asks three times as the order opens: for nothing at all, then for something, then for more. */
const insisting: Trading = (frame) =>
  frame.type === "order_updated" && frame.data.status === "open" && frame.data.order_id === orderId
    ? [{ ...bid, quantity: ZERO }, bid, { ...bid, quantity: fromUnits(quantity / 2n) }]
    : []

const played = (once: boolean, balance = fromUnits(1_000_000_000_000n)) => {
  const { moments, outcomes } = traded({ auctions: [auction], medians: market.medians }, insisting, { once, balance })
  const events = moments.flatMap((moment) => moment.events)
  const codes = events.flatMap((event) => (event.type === "commitment_refused" ? [event.data.code] : []))
  return { codes, bids: only(outcomes).own.map((own) => own.quantity) }
}

describe("a replay of what a bot's module does", () => {
  it("takes its first bid on an order alone, where anybody else may bid again", () => {
    expect(played(false)).toEqual({ codes: ["ARENA_005"], bids: [bid.quantity, fromUnits(quantity / 2n)] })
    expect(played(true)).toEqual({ codes: ["ARENA_005", "conflict"], bids: [bid.quantity] })
  })

  it("takes a bid for its decision that the balance does not cover", () => {
    expect(played(true, ZERO)).toEqual({ codes: ["ARENA_005", "ARENA_002", "conflict"], bids: [] })
    expect(played(false, ZERO)).toEqual({ codes: ["ARENA_005", "ARENA_002", "ARENA_002"], bids: [] })
  })
})
