import { describe, expect, it } from "bun:test"
import type { MarketFrame } from "../../../engine/market/MarketFrame.ts"
import type { Market } from "../../../engine/market/TradingProgram.ts"
import { extended, faulted } from "../../lib/Simulations.ts"

const SPEC = { seed: 21, orders: 12, traders: 4, faults: false }

/** A program that bids high on every order, and what it heard. */
const bidder = (heard: Array<MarketFrame>, terms: object = {}) => ({
  trader: {
    onEvent(event: MarketFrame, market: Market): void {
      heard.push(event)
      if (event.type !== "order_updated" || event.data.status !== "open") return
      market.commit({
        order_id: event.data.order_id,
        proposed_entry_price: event.data.entry_price * 1.05,
        expected_exit_price: event.data.entry_price * 1.5,
        quantity: event.data.quantity,
        slippage_tolerance: 0.02,
        ...terms
      })
    }
  }
})

const counts = (heard: ReadonlyArray<MarketFrame>): Readonly<Record<string, number>> => {
  const types: Record<string, number> = {}
  for (const { type } of heard) types[type] = (types[type] ?? 0) + 1
  return types
}

const ordersOf = (heard: ReadonlyArray<MarketFrame>, type: string): ReadonlyArray<string> =>
  heard.flatMap((event) => (event.type === type && "order_id" in event.data ? [event.data.order_id] : []))

describe("Trading programs in a simulation", () => {
  it("commit to orders, hear of what came of it in sequence, and are told in the result", () => {
    const heard: Array<MarketFrame> = []
    const { traders, violation } = extended(SPEC, bidder(heard))
    expect(violation).toBeNull()
    const own = traders.at(-1)!
    expect(own).toMatchObject({ traderId: "usr_4", owner: "cmp_4", type: "machine", submissions: 12 })
    const { commitment_accepted: accepted = 0, commitment_lost: lost = 0, commitment_won: won = 0 } = counts(heard)
    expect(accepted).toBe(own.commitments)
    expect(won).toBe(own.wins)
    expect(won).toBeGreaterThan(0)
    expect(won + lost).toBe(accepted)
    const profit = heard.reduce(
      (sum, { data, type }) => sum + (type === "commitment_settled" ? (data.profit ?? 0) : 0),
      0
    )
    expect(profit).toBeCloseTo(Number(own.profit) / 1e6, 4)
    for (const order of ordersOf(heard, "commitment_accepted")) {
      const story = heard.filter(({ data }) => "order_id" in data && data.order_id === order).map(({ type }) => type)
      expect(story.slice(0, 2)).toEqual(["order_updated", "commitment_accepted"])
      expect(story.at(-1)).toBe("order_updated")
    }
  })

  it("keep every rule under faults, and hear of a commitment once however often it was sent", () => {
    for (let seed = 1; seed <= 4; seed++) {
      const heard: Array<MarketFrame> = []
      const { traders, violation } = extended(faulted(seed), bidder(heard))
      expect(violation).toBeNull()
      const accepted = ordersOf(heard, "commitment_accepted")
      expect(new Set(accepted).size).toBe(accepted.length)
      expect(accepted.length).toBe(traders.at(-1)!.commitments)
    }
  })

  it("are refused with the code of the platform", () => {
    const heard: Array<MarketFrame> = []
    extended(SPEC, bidder(heard, { quantity: 1e9 }))
    extended(SPEC, bidder(heard, { order_id: "ord_none" }))
    extended(SPEC, bidder(heard, { proposed_entry_price: "high" }))
    const codes = heard.flatMap(({ data, type }) => (type === "commitment_refused" ? [data.code] : []))
    expect(new Set(codes)).toEqual(new Set(["ARENA_005", "ARENA_001", "invalid_request"]))
    expect(counts(heard)["commitment_accepted"]).toBeUndefined()
  })

  it("hear what they ask for, and are woken when they ask", () => {
    const heard: Array<MarketFrame> = []
    const woken: Array<number> = []
    let asked = 0
    const trader = {
      channels: ["prices"],
      onEvent(event: MarketFrame, market: Market): void {
        heard.push(event)
        if (event.type === "woken") woken.push(Date.parse(market.now))
        else if (asked === 0) {
          asked = Date.parse(market.now) + 5_000
          market.wakeAt(new Date(asked).toISOString().slice(0, -1))
        }
      }
    }
    extended({ ...SPEC, orders: 4 }, { trader })
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(["price_update", "woken"]))
    expect(woken.length).toBe(1)
    expect(woken[0]! - asked).toBeLessThan(100)
    expect(woken[0]).toBeGreaterThanOrEqual(asked)
  })

  it("end a simulation by what they throw, or where they would have it wait", () => {
    const detailOf = (onEvent: (event: MarketFrame, market: Market) => unknown) =>
      extended(SPEC, { trader: { onEvent } }).violation
    expect(
      detailOf(() => {
        throw new TypeError("no such order")
      })
    ).toMatchObject({ invariant: "extension", detail: expect.stringContaining("no such order") })
    expect(detailOf(async () => {})?.detail).toContain("returned a promise")
    expect(detailOf((_, market) => market.wakeAt("tomorrow"))?.detail).toContain("expected an ISO 8601 time")
  })
})
