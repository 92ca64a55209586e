import { describe, expect, it } from "bun:test"
import { type ArenaEvent, decodeArenaEvent } from "../../../engine/arena/ArenaEvent.ts"
import type { OrderTerms } from "../../../engine/arena/OrderTerms.ts"
import { AuctionSurvey, type SurveyLimits } from "../../../engine/simulation/AuctionSurvey.ts"
import type { ExportedWorld } from "../../../engine/simulation/ExportedWorld.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { simulatedExport } from "../../lib/SimulatedExport.ts"

const WIDE = { auctions: 1_000, bids: 10_000, traders: 100 }

const TAGS = new Set([
  "OrderOpened",
  "CommitmentSubmitted",
  "OrderClosed",
  "WinnerChosen",
  "OrderSettled",
  "OrderVoided"
])

const arenaEvents = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<ArenaEvent> =>
  events.filter(({ type }) => TAGS.has(type)).map(({ data }) => decodeArenaEvent(data))

const ended = (events: ReadonlyArray<ArenaEvent>, limits: SurveyLimits = WIDE, bots = new Set<string>()) => {
  const survey = new AuctionSurvey(limits)
  for (const event of events) survey.take(event)
  return survey.end(bots)
}

const surveyed = (...given: Parameters<typeof ended>) => {
  const found = ended(...given)
  if (typeof found === "string") throw new Error(found)
  return found
}

const bidsOf = ({ auctions }: Pick<ExportedWorld, "auctions">) => auctions.flatMap(({ bids }) => bids)

const bidsIn = (events: ReadonlyArray<ArenaEvent>) =>
  events.flatMap((event) => (event._tag === "CommitmentSubmitted" ? [event.commitment] : []))

describe("A survey of auctions", () => {
  it("tells each bid again within a hundred-thousandth of the price", () => {
    const events = arenaEvents(simulatedExport({ seed: 4, orders: 12, traders: 6, faults: false }).events)
    const world = surveyed(events)
    const orders = new Map(
      events.flatMap((event) => (event._tag === "OrderOpened" ? [[event.terms.orderId, event.terms] as const] : []))
    )
    const references = new Map(
      events.flatMap((event) =>
        event._tag === "WinnerChosen" ? [[event.orderId, event.choice.reference] as const] : []
      )
    )
    const told = bidsOf(world).map(([, at, premium, , quantity, slippage]) => [at, premium, quantity, slippage])
    const expected = bidsIn(events).map(({ acceptedAt, orderId, proposedPrice, quantity, slippage }) => {
      const terms = orders.get(orderId)!
      const [entry, part] = [
        Number(terms.entryPrice),
        (acceptedAt - terms.openedAt) / (terms.expiryAt - terms.openedAt)
      ]
      const worth = entry + (Number(references.get(orderId) ?? terms.entryPrice) - entry) * part
      return [
        part * 1e6,
        (Number(proposedPrice) / worth - 1) * 1e6,
        (Number(quantity) / Number(terms.quantity)) * 1e6,
        Number(slippage)
      ]
    })
    const byAll = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) =>
      Math.round(one[0]! - other[0]!) || Math.round(one[2]! - other[2]!) || one[1]! - other[1]!
    const [these, those] = [told.toSorted(byAll), expected.toSorted(byAll)]
    expect(these.length).toBe(those.length)
    for (const [index, bid] of these.entries()) {
      for (const [place, value] of bid.entries()) expect(Math.abs(value - those[index]![place]!)).toBeLessThan(12)
    }
  })

  it("leaves out the first auctions and who bid least where they are too many, and says so", () => {
    const events = arenaEvents(simulatedExport({ seed: 6, orders: 24, traders: 8, faults: false }).events)
    const whole = surveyed(events)
    const { auctions, leftOut, traders } = surveyed(events, { auctions: 8, bids: 1_000, traders: 3 })
    expect([auctions.length, traders.length, leftOut.auctions]).toEqual([8, 3, 16])
    expect(leftOut.bids + bidsOf({ auctions }).length).toBe(bidsOf(whole).length)
    expect(leftOut.traders).toBeGreaterThan(0)
    expect(Math.max(...bidsOf({ auctions }).map(([trader]) => trader))).toBe(2)
    const few = surveyed(events, { ...WIDE, bids: 20 })
    expect(bidsOf(few).length).toBeLessThanOrEqual(20)
    expect(few.auctions).toEqual(
      whole.auctions.slice(-few.auctions.length).map((auction) => expect.objectContaining({ type: auction.type }))
    )
  })

  it("has bids of one moment in one sequence, however they were recorded", () => {
    const events = arenaEvents(simulatedExport({ seed: 6, orders: 8, traders: 8, faults: false }).events)
    const atOnce = events.map((event) =>
      event._tag === "CommitmentSubmitted"
        ? { ...event, commitment: { ...event.commitment, acceptedAt: Math.floor(event.at / 60_000) * 60_000 } }
        : event
    )
    const bids = atOnce.filter(({ _tag }) => _tag === "CommitmentSubmitted")
    const others = atOnce.filter(({ _tag }) => _tag !== "CommitmentSubmitted")
    const opened = others.filter(({ _tag }) => _tag === "OrderOpened")
    const ended = others.filter(({ _tag }) => _tag !== "OrderOpened")
    const one = surveyed([...opened, ...bids, ...ended])
    expect(surveyed([...opened, ...bids.toReversed(), ...ended]).auctions).toEqual(one.auctions)
    expect(new Set(bidsOf(one).map(([, at]) => at)).size).toBeLessThan(bidsOf(one).length / 2)
  })

  it("leaves out what bots decided by themselves, which decide anew", () => {
    const run = simulatedExport({ seed: 12, orders: 40, traders: 4, faults: false, bots: 6 })
    const events = arenaEvents(run.events)
    const [own, decided] = [true, false].map((isOwn) =>
      bidsIn(events).filter(({ decisionId }) => (decisionId === undefined) === isOwn)
    )
    expect(decided?.length).toBeGreaterThan(0)
    expect(bidsOf(surveyed(events)).length).toBe(own?.length ?? 0)
    const few = surveyed(events, { ...WIDE, auctions: 20 })
    expect(few.leftOut.bids + bidsOf(few).length).toBe(own?.length ?? 0)
  })

  it("leaves out what the program of a bot's company bid, where the bot is in the world", () => {
    const run = simulatedExport({ seed: 6, orders: 24, traders: 8, faults: false })
    const events = arenaEvents(run.events)
    const machine = bidsIn(events).find(({ trader }) => trader.botId !== null)?.trader.botId ?? ""
    const bots = new Set([machine])
    const others = bidsIn(events).filter(({ trader }) => trader.botId !== machine).length
    expect(others).toBeGreaterThan(0)
    expect(bidsOf(surveyed(events)).length).toBeGreaterThan(others)
    expect(bidsOf(surveyed(events, WIDE, bots)).length).toBe(others)
    const few = surveyed(events, { ...WIDE, auctions: 8 }, bots)
    expect(few.leftOut.bids + bidsOf(few).length).toBe(others)
  })

  it("has no world of orders that are further apart, or go on longer, than a world's", () => {
    const events = arenaEvents(simulatedExport({ seed: 6, orders: 16, traders: 3, faults: false }).events)
    const begins = Math.min(...events.flatMap((event) => (event._tag === "OrderOpened" ? [event.at] : [])))
    const slow = (change: (terms: OrderTerms) => Partial<OrderTerms>) =>
      ended(
        events.map((event) =>
          event._tag === "OrderOpened" ? { ...event, terms: { ...event.terms, ...change(event.terms) } } : event
        )
      )
    const later = (at: number) => begins + (at - begins) * 40_000
    expect(
      slow(({ expiryAt, openedAt }) => ({ openedAt: later(openedAt), expiryAt: later(openedAt) + expiryAt - openedAt }))
    ).toBe(
      "has orders that begin 55 days apart, and a world has at most 31: take the export of a server that has orders more often"
    )
    expect(
      slow(({ expiryAt }) => ({ expiryAt: expiryAt + 40 * 86_400_000, settlementAt: expiryAt + 41 * 86_400_000 }))
    ).toContain("are open for 40 days, and")
    expect(slow(({ expiryAt }) => ({ settlementAt: expiryAt + 32 * 86_400_000 }))).toContain(
      "settle after 32 days, and"
    )
  })

  it("takes the slots of most orders, though some are late", () => {
    const events = arenaEvents(simulatedExport({ seed: 6, orders: 32, traders: 3, faults: false }).events)
    expect(surveyed(events).timing).toEqual({ slot: 120_000, window: 120_000, delay: 60_000 })
    const late = events.map((event) =>
      event._tag === "OrderOpened" && event.at % 7 === 0
        ? { ...event, terms: { ...event.terms, openedAt: event.terms.openedAt + 15_000 } }
        : event
    )
    expect(surveyed(late).timing.slot).toBe(120_000)
  })

  it("tells what the vault earned a year, and which rule chose", () => {
    const run = simulatedExport({ seed: 6, orders: 16, traders: 6, faults: false, rule: "quorum" })
    const { apy, rule } = surveyed(arenaEvents(run.events))
    expect(rule).toBe("quorum")
    expect(Number(apy) / 1e12).toBeGreaterThan(0.02)
    expect(Number(apy) / 1e12).toBeLessThan(0.2)
  })
})
