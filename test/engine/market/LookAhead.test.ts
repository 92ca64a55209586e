import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { LookAhead } from "../../../engine/market/LookAhead.ts"
import { type PublishedAuction, recordedAuction } from "../../../engine/market/PublishedAuction.ts"
import { type Moment, VIEWS } from "../../../engine/market/MarketReplay.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { idle, traded, type Trading } from "../../lib/MarketTrader.ts"
import { property } from "../../lib/Property.ts"
import { recordedMarket, type RecordedMarket } from "../../lib/RecordedMarket.ts"

const open = recordedMarket({ seed: 21, orders: 60, traders: 8, faults: false })
const sealed = recordedMarket({ seed: 22, orders: 60, traders: 8, faults: false }, "sealed")

type Views = typeof VIEWS

/** Views that tell something too early, each in one way. */
const PLANTED: Readonly<Record<string, Partial<Views>>> = {
  "the reference price at the opening": {
    liveOrder: (order, status) => ({ ...VIEWS.liveOrder(order, status), reference_price: order.reference_price })
  },
  "the winner at the opening": {
    liveOrder: (order, status) => ({
      ...VIEWS.liveOrder(order, status),
      winner_commitment_id: order.winner_commitment_id
    })
  },
  "the settlement price at the choice": {
    chosenOrder: (order, chosen) => ({
      ...VIEWS.chosenOrder(order, chosen),
      settlement_price: order.settlement_price
    })
  },
  "the tie key at the choice": {
    chosenOrder: (order, chosen) => ({ ...VIEWS.chosenOrder(order, chosen), tie_key: order.tie_key })
  },
  "a field that no order has": {
    liveOrder: (order, status) => ({ ...VIEWS.liveOrder(order, status), best: order.clearing_price })
  },
  "all bids with the order": {
    liveOrder: (order, status) => ({ ...VIEWS.liveOrder(order, status), commitments: order.commitments })
  },
  "the end at the opening": {
    liveOrder: (order) => VIEWS.liveOrder(order, "settled")
  },
  "a sealed bid while it competes": {
    competingBid: (order, bid) => ({ ...VIEWS.competingBid({ ...order, bids: "open" }, bid) })
  },
  "a bid's owner while it competes": {
    competingBid: (order, bid) => ({ ...VIEWS.competingBid(order, bid), owner_id: bid.owner_id })
  },
  "a bid's limit while it competes": {
    competingBid: (order, bid) => ({ ...VIEWS.competingBid(order, bid), slippage_tolerance: bid.slippage_tolerance })
  },
  "another bid before it is made": {
    competingBid: (order, bid) => VIEWS.competingBid(order, order.commitments.at(-1) ?? bid)
  }
}

/** The same history with everything that was recorded after a time made up anew. */
const rewrittenAfter = (market: RecordedMarket, at: number): RecordedMarket => {
  const iso = (millis: number): string => new Date(millis).toISOString()
  const rewritten = (order: PublishedAuction): PublishedAuction => ({
    ...order,
    commitments: order.commitments.flatMap((bid) =>
      (bid.accepted_at ?? "") <= iso(at)
        ? [{ ...bid, rank: 1, score: "7", status: "lost", loss_reason: "outbid", owner_id: bid.owner_id }]
        : []
    ),
    reference_price: order.reference_price === null ? null : order.entry_price,
    reserve_price: order.reserve_price === null ? null : order.entry_price,
    clearing_price: 1,
    settlement_price: order.settlement_price === null ? null : 2,
    winner_commitment_id: null,
    tie_key: "77".repeat(32)
  })
  const published = market.published
    .filter(({ opened_at: opened }) => `${opened}Z` <= iso(at))
    .map((order) =>
      `${order.expiry_date}Z` > iso(at)
        ? rewritten(order)
        : `${order.settlement_date}Z` > iso(at) && order.settlement_price !== null
          ? { ...order, settlement_price: 3 }
          : order
    )
  return {
    published,
    auctions: published.map(recordedAuction),
    medians: market.medians.map((median) =>
      median.at > at ? { ...median, price: fromUnits(median.price * 2n) } : median
    )
  }
}

/** What was told up to a time. */
const toldTo = (moments: ReadonlyArray<Moment>, at: number): string =>
  JSON.stringify(moments.filter((moment) => moment.at <= at))

/** Bids by all that it was told, so that a look-ahead would change what it does. */
const curious = (): Trading => {
  let seen = 0
  return (event) => {
    seen = (seen * 31 + JSON.stringify(event).length) % 997
    if (event.type !== "order_updated" || event.data.status !== "open") return []
    const { entry_price: price, order_id: orderId, quantity } = event.data
    const units = (value: number) => fromUnits(BigInt(Math.round(value * 1e6)))
    return [
      {
        orderId,
        proposedPrice: units(price * (1 + seen / 100_000)),
        exitPrice: units(price * 1.2),
        quantity: units(quantity),
        slippage: fromUnits(20_000n)
      }
    ]
  }
}

const openings = open.auctions.map(({ terms }) => terms)

describe("LookAhead", () => {
  it("is found wherever it is planted", () => {
    for (const [what, planted] of Object.entries(PLANTED)) {
      const replayed = () => traded(sealed, idle, { planted })
      expect([what, replayed]).toEqual([what, expect.any(Function)])
      expect(replayed).toThrow(LookAhead)
    }
  })

  it("is none in what is shipped, with open bids and with sealed ones", () => {
    for (const market of [open, sealed]) expect(traded(market, curious()).moments.length).toBeGreaterThan(100)
  })

  it("cannot be: what is told up to a time does not change with anything that was recorded later", () => {
    const times = fc
      .constantFrom(...openings)
      .chain(({ openedAt, settlementAt }) => fc.integer({ min: openedAt, max: settlementAt }))
    fc.assert(
      fc.property(fc.boolean(), times, (isSealed, at) => {
        const market = isSealed ? sealed : open
        const whole = traded(market, curious()).moments
        const other = traded(rewrittenAfter(market, at), curious()).moments
        expect(toldTo(other, at)).toBe(toldTo(whole, at))
      }),
      property(5)
    )
  })

  it("would show there, were it planted where no single event can tell", () => {
    const hint: Partial<Views> = {
      liveOrder: (order, status) => ({ ...VIEWS.liveOrder(order, status), quantity: order.clearing_price ?? 0 })
    }
    const at = openings[20]?.openedAt ?? 0
    const [whole, other] = [open, rewrittenAfter(open, at)].map(
      (market) => traded(market, idle, { planted: hint }).moments
    )
    expect(toldTo(other ?? [], at)).not.toBe(toldTo(whole ?? [], at))
  })
})
