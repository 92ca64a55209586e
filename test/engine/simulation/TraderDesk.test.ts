import { describe, expect, it } from "bun:test"
import { orderStream } from "../../../engine/arena/Order.ts"
import { openOrder } from "../../../engine/arena/OrderLifecycle.ts"
import type { FaultPlan } from "../../../engine/simulation/FaultPlan.ts"
import { MAKER } from "../../../engine/simulation/OpeningFunds.ts"
import { STARTED_AT, type SubmissionPlan, type TraderPlan } from "../../../engine/simulation/Scenario.ts"
import { TraderDesk } from "../../../engine/simulation/TraderDesk.ts"
import { terms, usd } from "../../lib/ArenaArbitraries.ts"
import { decodedEvent } from "../../lib/DecodedEvent.ts"
import { smallWorld } from "../../lib/SmallWorld.ts"

const offered = terms({
  openedAt: STARTED_AT,
  expiryAt: STARTED_AT + 60_000,
  settlementAt: STARTED_AT + 90_000,
  maker: MAKER
})

const bid: SubmissionPlan = {
  id: "0/0/0",
  trader: 0,
  after: 1_000,
  premium: 10_000,
  margin: 5_000,
  quantity: 100_000,
  slippage: 0,
  keyed: true
}

/** A desk with one trader, and what it told. */
const deskOf = (faults: ReadonlyArray<FaultPlan>, ...submissions: ReadonlyArray<SubmissionPlan>) => {
  const world = smallWorld(faults)
  const rich = world.scenario.traders.find(({ balance }) => balance > usd("1000"))!
  const trader: TraderPlan = { ...rich, index: 0, type: "human", barred: null, allowance: null }
  const acknowledged: Array<number> = []
  const refused: Array<string> = []
  const desk = new TraderDesk({
    ...world,
    traders: new Map([[0, trader]]),
    submissionsTo: () => submissions,
    termsOf: () => offered,
    slot: world.scenario.timing.slot,
    onAcknowledged: ({ seq }) => void acknowledged.push(seq),
    onRefused: (key) => void refused.push(key)
  })
  world.fork(world.journal.append({ stream: orderStream(offered.orderId), version: 0, entries: [openOrder(offered)] }))
  desk.plan({ index: 0, slot: 0, assetType: "fx", makerDiscount: undefined })
  world.pass(40_000)
  const committed = world.journal.events.filter((one) => decodedEvent(one)._tag === "CommitmentSubmitted").length
  return { ...world, desk, acknowledged, refused, committed, answers: Object.fromEntries(desk.answers) }
}

describe("TraderDesk", () => {
  it("sends a submission at its time, with terms relative to the order's", () => {
    const { journal, acknowledged, answers, desk } = deskOf([], bid)
    const last = journal.events.at(-1)!
    expect(decodedEvent(last)).toMatchObject({
      _tag: "CommitmentSubmitted",
      at: STARTED_AT + 1_000,
      commitment: { proposedPrice: usd("101"), quantity: usd("1"), exitPrice: usd("101.505001") }
    })
    expect([acknowledged, answers]).toEqual([[last.seq], { Submitted: 1 }])
    expect(desk.tallies.get(0)).toEqual({ submissions: 1, refusals: 0 })
  })

  it("tells what was refused for good", () => {
    const { refused, answers, desk } = deskOf([], { ...bid, quantity: 2_000_000 })
    expect([refused, answers]).toEqual([["0/0/0"], { InvalidTerms: 1 }])
    expect(desk.tallies.get(0)?.refusals).toBe(1)
  })

  it("commits a keyed submission once, however often it arrives or is tried again", () => {
    const duplicates: FaultPlan = { index: 0, at: 0, kind: "duplicate", for: 10_000, after: 50 }
    const lost: FaultPlan = { index: 1, at: 0, kind: "crash_actor", moment: "after" }
    const bids = Array.from({ length: 20 }, (_, number) => ({
      ...bid,
      id: `0/0/${number}`,
      after: 1_000 + 60 * number
    }))
    const { committed, answers, acknowledged } = deskOf([duplicates, lost], ...bids)
    expect(committed).toBe(20)
    expect(answers["Replayed"]).toBeGreaterThan(0)
    expect(answers["ActorUnavailable"]).toBeGreaterThan(0)
    expect(new Set(acknowledged).size).toBe(20)
  })

  it("takes a submission without a key twice for two", () => {
    const duplicates: FaultPlan = { index: 0, at: 0, kind: "duplicate", for: 10_000, after: 50 }
    const bids = Array.from({ length: 20 }, (_, number) => ({
      ...bid,
      id: `0/0/${number}`,
      after: 1_000 + number,
      keyed: false
    }))
    expect(deskOf([duplicates], ...bids).committed).toBeGreaterThan(20)
  })

  it("gives up a key that is never answered, and calls it neither taken nor refused", () => {
    const faults: ReadonlyArray<FaultPlan> = [{ index: 0, at: 900, kind: "blind_actors", for: 38_000 }]
    const { answers, acknowledged, refused } = deskOf(faults, bid)
    expect([answers, acknowledged, refused]).toEqual([{ ActorUnavailable: 5 }, [], []])
  })
})
