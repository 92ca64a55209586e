import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import type { RecordedAuction } from "../../../engine/market/PublishedAuction.ts"
import type { BidRequest } from "../../../engine/market/ReplayedAuction.ts"
import { fromUnits, ONE, toNumber } from "../../../engine/money/Amount.ts"
import { hashing } from "../../../src/cli/ReplayHashes.ts"
import { bidFor } from "../../lib/ArenaArbitraries.ts"
import { bidding, idle, only, traded, type Trading } from "../../lib/MarketTrader.ts"
import { naiveChoice } from "../../lib/NaiveArena.ts"
import { property } from "../../lib/Property.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"

const market = recordedMarket({ seed: 11, orders: 240, traders: 8, faults: false })
const sealed = recordedMarket({ seed: 12, orders: 40, traders: 6, faults: false }, "sealed")

const choosable = market.auctions.filter(({ published }) => published.reference_price !== null)

/** The choice told again by other means, from the lines of the history. */
const naive = ({ published, rules, terms }: RecordedAuction, commitments: ReadonlyArray<Commitment>) =>
  naiveChoice({
    ...rules,
    terms,
    reference: fromUnits(BigInt(Math.round((published.reference_price ?? 0) * 1e6))),
    commitments,
    tieHash: (owner) => hashing.tieHash(published.tie_key ?? "", owner)
  })

const ownerOf = (auction: RecordedAuction, index: number): string =>
  auction.bids[index % auction.bids.length]?.trader.owner ?? ""

describe("MarketReplay", () => {
  it("makes of unchanged bids what was published, void orders and faults included", () => {
    for (const recorded of [market, sealed]) {
      const { outcomes } = traded(recorded, idle)
      expect(outcomes.length).toBe(recorded.auctions.length)
      for (const { clearingPrice, orderId, published, reproduction, settlementPrice, winner } of outcomes) {
        expect([orderId, reproduction]).not.toEqual([orderId, "different"])
        expect([orderId, winner, clearingPrice]).toEqual([orderId, published.winner, published.clearingPrice])
        expect([orderId, settlementPrice]).toEqual([orderId, published.settlementPrice])
      }
      expect(outcomes.filter(({ reproduction }) => reproduction === "same").length).toBeGreaterThan(20)
    }
  })

  it("with one company's bids taken out gives what another way of choosing gives", () => {
    fc.assert(
      fc.property(fc.constantFrom(...choosable), fc.nat(), (auction, index) => {
        const owner = ownerOf(auction, index)
        const { outcomes } = traded({ auctions: [auction], medians: market.medians }, idle, { owner })
        const { clearing, winner } = naive(
          auction,
          auction.bids.filter((bid) => bid.trader.owner !== owner)
        )
        const outcome = only(outcomes)
        if (outcome.end === "void" || auction.bids.every((bid) => bid.trader.owner === owner)) return
        expect([outcome.winner, outcome.clearingPrice]).toEqual([winner, clearing as never])
      }),
      property()
    )
  })

  it("with a bid put in gives what another way of choosing gives, and the profit by the published price", () => {
    const cases = fc
      .constantFrom(...choosable.filter(({ published }) => published.void_reason === null))
      .chain((auction) => fc.tuple(fc.constant(auction), bidFor(auction.terms), fc.boolean()))
    fc.assert(
      fc.property(cases, ([auction, bid, isMachine]) => {
        const request = { orderId: auction.terms.orderId, ...bid }
        const { moments, outcomes } = traded({ auctions: [auction], medians: market.medians }, bidding(request), {
          type: isMachine ? "machine" : "human"
        })
        const outcome = only(outcomes)
        const told = moments.flatMap(({ events }) => events.map(({ type }) => type))
        const [own] = outcome.own
        if (own === undefined) {
          expect(told).toContain("commitment_refused")
          return
        }
        const placed: Commitment = {
          ...(auction.bids[0] as Commitment),
          ...bid,
          ...own,
          ordinal: 2_000_000_000,
          trader: {
            ...(auction.bids[0] as Commitment).trader,
            owner: "cmp_mine",
            type: isMachine ? "machine" : "human"
          }
        }
        const { clearing, ranking, winner } = naive(auction, [...auction.bids, placed])
        expect([outcome.winner, outcome.clearingPrice]).toEqual([winner, clearing as never])
        const place = ranking.findIndex(([id]) => id === own.commitmentId)
        expect([own.rank, own.reason]).toEqual([place + 1, ranking[place]?.[1] as never])
        expect(outcome.won).toBe(winner === own.commitmentId)
        expect(told.includes("commitment_won")).toBe(outcome.won)
      }),
      property()
    )
  })

  it("refuses by the arena's own rules, and takes no more than the balance covers", () => {
    const [auction] = choosable
    if (auction === undefined) throw new Error("no auction was chosen")
    const { entryPrice, orderId, quantity } = auction.terms
    const bid = {
      orderId,
      proposedPrice: entryPrice,
      exitPrice: fromUnits(entryPrice * 2n),
      quantity,
      slippage: fromUnits(0n)
    }
    const refusals = (request: BidRequest, balance = fromUnits(1_000_000n * ONE)) =>
      traded({ auctions: [auction], medians: [] }, bidding(request), { balance }).moments.flatMap(({ events }) =>
        events.flatMap((event) => (event.type === "commitment_refused" ? [event.data.code] : []))
      )
    expect(refusals(bid)).toEqual([])
    expect(refusals({ ...bid, quantity: fromUnits(quantity + 1n) })).toEqual(["ARENA_005"])
    expect(refusals({ ...bid, proposedPrice: fromUnits(entryPrice * 2n) })).toEqual(["ARENA_005"])
    expect(refusals(bid, fromUnits(1n))).toEqual(["ARENA_002"])
    const late: Trading = (event) => (event.type === "order_updated" && event.data.status !== "open" ? [bid] : [])
    const { moments } = traded({ auctions: [auction], medians: [] }, late)
    const codes = moments.flatMap(({ events }) =>
      events.flatMap((e) => (e.type === "commitment_refused" ? [e.data.code] : []))
    )
    expect(new Set(codes)).toEqual(new Set(["ARENA_001"]))
  })

  it("keeps a trader's money: what is free at the end is what it began with and what it gained", () => {
    const eager: Trading = (event) => {
      if (event.type !== "order_updated" || event.data.status !== "open") return []
      const auction = market.auctions.find(({ terms }) => terms.orderId === event.data.order_id)
      if (auction === undefined) return []
      const { entryPrice, orderId, quantity } = auction.terms
      const proposedPrice = fromUnits((entryPrice * 1_004n) / 1_000n)
      return [{ orderId, quantity, proposedPrice, exitPrice: fromUnits(entryPrice * 2n), slippage: fromUnits(20_000n) }]
    }
    const { moments, outcomes } = traded(market, eager)
    const profit = outcomes.reduce((sum, outcome) => sum + (outcome.profit ?? 0n), 0n)
    expect(outcomes.at(-1)?.balance).toBe(fromUnits(1_000_000n * ONE + profit))
    expect(outcomes.filter(({ won }) => won).length).toBeGreaterThan(20)
    const settled = moments.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === "commitment_settled" ? [event.data.profit ?? 0] : []))
    )
    expect(Math.round(settled.reduce((sum, one) => sum + one, 0) * 1e6)).toBe(
      Math.round(toNumber(fromUnits(profit)) * 1e6)
    )
  })
})
