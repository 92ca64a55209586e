import { describe, expect, it } from "bun:test"
import { evolve } from "../../../engine/arena/Order.ts"
import { commitmentRows, orderRow } from "../../../engine/arena/OrderRows.ts"
import { STATE_COLUMNS, type StateRow } from "../../../engine/replay/StateTable.ts"
import { commitment, order, OPENING, usd } from "../../lib/ArenaArbitraries.ts"

const named = ({ table, values }: StateRow) => {
  const columns: ReadonlyArray<string> = STATE_COLUMNS[table]
  expect(values.length).toBe(columns.length)
  return Object.fromEntries(columns.map((column, index) => [column, values[index]]))
}

describe("OrderRows", () => {
  it("writes an order and its commitments as the tables hold them", () => {
    const state = order()
    const one = commitment(1)
    evolve(state, { _tag: "CommitmentSubmitted", at: OPENING, commitment: one })
    const { orderId } = state.terms
    const replayed = { state, submitted: new Map([[one.commitmentId, 7]]), ending: undefined }
    expect(named(orderRow(replayed))).toMatchObject({
      id: orderId,
      status: "competing",
      details: '{"pair":"EUR/USD"}',
      quantity: "10000000",
      tie_key: null,
      reference_price: null,
      profit: null,
      fairness: null,
      yield_distributed: null
    })
    const fairness = { rule: "weighted", machines: 0n, total: 1n, machineOwners: [] } as const
    const ranking = [{ commitmentId: one.commitmentId, owner: "alice", score: 5n, reason: null }]
    const choice = { reference: usd("101"), referenceAt: 9, winner: one.commitmentId, clearingPrice: usd("101") }
    evolve(state, { _tag: "WinnerChosen", at: 9, orderId, choice: { ...choice, ranking, fairness }, yields: [] })
    expect(commitmentRows(replayed).map(named)).toMatchObject([
      { id: one.commitmentId, event_seq: "7", bot_id: null, status: "won", reason: null, ranked: "1", score: "5" }
    ])
    expect(named(orderRow(replayed))).toMatchObject({
      reference_at: "9",
      winner_commitment_id: one.commitmentId,
      fairness: '{"rule":"weighted","machines":"0","total":"1","machineOwners":[]}'
    })
  })
})
