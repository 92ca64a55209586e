import { describe, expect, it } from "bun:test"
import type { ArenaEvent, Choice } from "../../../engine/arena/ArenaEvent.ts"
import type { Commitment } from "../../../engine/arena/Commitment.ts"
import { escrowHold, evolve, opened, type OrderState, orderStream } from "../../../engine/arena/Order.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { commitment, human, OPENING, order, terms, TIE_KEY, usd } from "../../lib/ArenaArbitraries.ts"

const { orderId, assetType } = terms()
const [one, two, three] = [commitment(1), commitment(2, { trader: human("bob") }), commitment(5)]

const submitted = (...commitments: ReadonlyArray<Commitment>): ReadonlyArray<ArenaEvent> =>
  commitments.map((each) => ({ _tag: "CommitmentSubmitted", at: each.acceptedAt, commitment: each }))

const closed: ArenaEvent = { _tag: "OrderClosed", at: OPENING, orderId }

const yieldOf = (commitmentId: string, trader: string) => ({
  commitmentId,
  trader: usd(trader),
  insurance: ZERO,
  platform: ZERO,
  tokenHolders: ZERO
})

const choice: Choice = {
  reference: usd("100"),
  referenceAt: OPENING,
  winner: two.commitmentId,
  clearingPrice: usd("101"),
  ranking: [
    { commitmentId: two.commitmentId, owner: "bob", score: 3n, reason: null },
    { commitmentId: one.commitmentId, owner: "alice", score: 2n, reason: "outbid" },
    { commitmentId: three.commitmentId, owner: "alice", score: -1n, reason: "below_reference" }
  ],
  fairness: { rule: "weighted", machines: 0n, total: 2n, machineOwners: [] }
}

const chosen: ArenaEvent = {
  _tag: "WinnerChosen",
  at: OPENING,
  orderId,
  choice,
  yields: [yieldOf(one.commitmentId, "0.5")]
}

const settled: ArenaEvent = {
  _tag: "OrderSettled",
  at: OPENING,
  orderId,
  assetType,
  winner: { commitmentId: two.commitmentId, address: two.trader.address },
  price: usd("103"),
  takeProfit: false,
  profit: usd("2"),
  yieldDistributed: usd("0.75"),
  yields: [yieldOf(two.commitmentId, "0.25")],
  tieKey: TIE_KEY
}

const voided: ArenaEvent = {
  _tag: "OrderVoided",
  at: OPENING,
  orderId,
  assetType,
  reason: "no_settlement_price",
  yieldDistributed: usd("0.25"),
  yields: [yieldOf(one.commitmentId, "0.25")],
  tieKey: TIE_KEY
}

const after = (...events: ReadonlyArray<ArenaEvent>): OrderState => {
  const state = order()
  for (const event of events) evolve(state, event)
  return state
}

/** All of a state, as it can be compared. */
const plain = (state: OrderState) => ({ ...state, commitments: [...state.commitments] })

const brief = (state: OrderState) =>
  [...state.commitments.values()].map(({ ordinal, status, reason, profit, yieldEarned }) => [
    ordinal,
    status,
    reason,
    profit,
    yieldEarned
  ])

describe("an order", () => {
  it("opens empty, with one event", () => {
    expect(plain(opened(terms()))).toEqual({
      terms: terms(),
      version: 1,
      status: "open",
      commitments: [],
      lastOrdinal: 0,
      choice: null
    })
  })

  it("counts every event", () => {
    expect(plain(after({ _tag: "OrderOpened", at: OPENING, terms: terms() }))).toEqual({
      ...plain(order()),
      version: 2
    })
    expect(after(...submitted(one, two), closed).version).toBe(4)
  })

  it("competes with its first commitment, and counts those of each owner", () => {
    const state = after(...submitted(one, two, three))
    expect(state.status).toBe("competing")
    expect([...state.commitments]).toEqual([one, two, three].map((each) => [each.commitmentId, each]))
    expect(["alice", "bob", "carol"].map((owner) => state.commitments.countOf(owner))).toEqual([2, 1, 0])
    expect(state.lastOrdinal).toBe(5)
  })

  it("settles from its close on, its commitments active", () => {
    const state = after(...submitted(one), closed)
    expect(state.status).toBe("settling")
    expect(brief(state)).toEqual([[1, "active", null, ZERO, ZERO]])
  })

  it("has one winner after the choice, and losers with their reasons and yield", () => {
    const state = after(...submitted(one, two, three), closed, chosen)
    expect(state.status).toBe("settling")
    expect(state.choice).toEqual(choice)
    expect(brief(state)).toEqual([
      [1, "lost", "outbid", ZERO, usd("0.5")],
      [2, "won", null, ZERO, ZERO],
      [5, "lost", "below_reference", ZERO, ZERO]
    ])
  })

  it("posts the winner's profit and yield at settlement, and leaves losers as they were", () => {
    const state = after(...submitted(one, two, three), closed, chosen, settled)
    expect(state.status).toBe("settled")
    expect(brief(state)).toEqual([
      [1, "lost", "outbid", ZERO, usd("0.5")],
      [2, "settled", null, usd("2"), usd("0.25")],
      [5, "lost", "below_reference", ZERO, ZERO]
    ])
  })

  it("voided before the choice loses every active commitment for that reason", () => {
    const state = after(...submitted(one, two), closed, voided)
    expect(state.status).toBe("settled")
    expect(brief(state)).toEqual([
      [1, "lost", "void", ZERO, usd("0.25")],
      [2, "lost", "void", ZERO, ZERO]
    ])
  })

  it("voided after the choice settles the winner with profit 0, and losers stay lost", () => {
    const state = after(...submitted(one, two, three), closed, chosen, {
      ...voided,
      yields: [yieldOf(two.commitmentId, "1")]
    })
    expect(brief(state)).toEqual([
      [1, "lost", "outbid", ZERO, usd("0.5")],
      [2, "settled", null, ZERO, usd("1")],
      [5, "lost", "below_reference", ZERO, ZERO]
    ])
  })

  it("passes over commitments that it does not know", () => {
    const state = after(...submitted(one), closed, chosen)
    expect([...state.commitments.keys()]).toEqual([one.commitmentId])
  })
})

describe("the names of an order", () => {
  it("are its stream and the market maker's holds", () => {
    expect(orderStream("ord_1")).toBe("order/ord_1")
    expect(escrowHold("ord_1", "offered")).toBe("escrow/offered/ord_1")
    expect(escrowHold("ord_1", "sold")).toBe("escrow/sold/ord_1")
  })
})
