import { describe, expect, it } from "bun:test"
import type { ArenaBid, ArenaOrder } from "../../../../../src/dashboard/app/arena/ArenaOrder.ts"
import { competitionOf, lossText, winnerProfit } from "../../../../../src/dashboard/app/arena/Competition.ts"

const bid = (id: string, change: Partial<ArenaBid>): ArenaBid => ({
  commitment_id: id,
  trader_address: `0x${id}`,
  trader_type: "human",
  proposed_entry_price: 101,
  expected_exit_price: 110,
  quantity: 10,
  collateral: 38.1,
  status: "active",
  owner_id: null,
  slippage_tolerance: null,
  accepted_at: null,
  rank: null,
  score: null,
  loss_reason: null,
  ...change
})

const order = (commitments: ReadonlyArray<ArenaBid>, change: Partial<ArenaOrder> = {}): ArenaOrder => ({
  order_id: "ord_1",
  asset_type: "fx",
  quantity: 100,
  entry_price: 100,
  settlement_date: "2026-09-30T12:30:00.000",
  expiry_date: "2026-09-30T12:15:00.000",
  status: "competing",
  market_maker: "0xmaker",
  onchain_order_id: "order/ord_1:1",
  asset_details: { pair: "EUR/USD" },
  opened_at: "2026-09-30T12:00:00.000",
  commitments,
  bids: "open",
  maker_discount: 0.0005,
  reference_price: null,
  reserve_price: null,
  clearing_price: null,
  settlement_price: null,
  winner_commitment_id: null,
  void_reason: null,
  tie_key_hash: "",
  tie_key: null,
  fairness: null,
  ...change
})

describe("competitionOf", () => {
  it("stands by price while owners and limits are secret", () => {
    const { collateral, contenders, humans, isDecided, machinePart, machines } = competitionOf(
      order([
        bid("a", { proposed_entry_price: 101 }),
        bid("b", { proposed_entry_price: 104, trader_type: "machine", collateral: 114.3 }),
        bid("c", { proposed_entry_price: 100, collateral: 0 })
      ])
    )
    expect(contenders.map((each) => [each.bid.commitment_id, each.place, each.reach, each.outcome])).toEqual([
      ["b", 1, 1, undefined],
      ["a", 2, 0.25, undefined],
      ["c", 3, 0, undefined]
    ])
    expect({ isDecided, humans, machines }).toEqual({ isDecided: false, humans: 2, machines: 1 })
    expect([collateral, machinePart]).toEqual([152.4, 0.75])
  })

  it("stands by rank after the choice, with the reason of each loss", () => {
    const { contenders, isDecided } = competitionOf(
      order(
        [
          bid("a", { proposed_entry_price: 109, rank: 2, status: "lost", loss_reason: "ARENA_007" }),
          bid("b", { proposed_entry_price: 104, rank: 1, status: "won" })
        ],
        { winner_commitment_id: "b" }
      )
    )
    expect(isDecided).toBe(true)
    expect(contenders.map((each) => [each.bid.commitment_id, each.isWinner, each.outcome])).toEqual([
      ["b", true, "Won"],
      ["a", false, "Too few machines"]
    ])
    expect(lossText("something new")).toBe("something new")
  })

  it("tells what the 3/4 rule weighed, once it has", () => {
    const won = [bid("a", { rank: 1, status: "won" })]
    const fairness = { rule: "weighted", machines: "3", total: "4", machine_owners: [] }
    expect(competitionOf(order(won, { fairness })).machinePart).toBe(0.75)
    expect(competitionOf(order(won, { fairness: { ...fairness, total: "0" } })).machinePart).toBe(0)
  })

  it("is empty without bids", () => {
    expect(competitionOf(order([]))).toMatchObject({ contenders: [], isDecided: false, machinePart: 0 })
  })
})

describe("winnerProfit", () => {
  it("is the difference of the prices, within the collateral", () => {
    const winner = bid("a", { quantity: 80, collateral: 304.8 })
    const settled = (settlement: number) => order([winner], { clearing_price: 102.125, settlement_price: settlement })
    expect([103, 97, 200].map((price) => winnerProfit(settled(price), winner))).toEqual([70, -304.8, 304.8])
    expect(winnerProfit(order([winner]), winner)).toBeUndefined()
  })
})
