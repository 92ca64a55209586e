import { describe, expect, it } from "bun:test"
import type { SequencedFrame } from "../../../../../packages/client/src/WireFrame.ts"
import { happeningOf } from "../../../../../src/dashboard/app/arena/Happening.ts"

const frame = (type: string, data: object): SequencedFrame =>
  ({ type, data, timestamp: "1970-01-01T00:00:01.000Z", seq: 7, prev: 6, frame: 2, frames: 2 }) as never

describe("happeningOf", () => {
  it("tells of openings, bids and settlements, and of nothing twice", () => {
    const base = { key: "7/2", at: 1_000, orderId: "o" }
    expect(happeningOf(frame("order_created", { order_id: "o" }))).toMatchObject({ ...base, kind: "opened" })
    expect(
      happeningOf(frame("commitment_submitted", { order_id: "o", trader_type: "machine", collateral: 3.81 }))
    ).toMatchObject({ ...base, kind: "bid", trader: "machine", amount: 3.81 })
    expect(
      happeningOf(frame("order_settled", { order_id: "o", winner_commitment_id: "c", prize_amount: 5 }))
    ).toMatchObject({ ...base, kind: "settled", amount: 5 })
    expect(
      happeningOf(frame("order_settled", { order_id: "o", winner_commitment_id: null, prize_amount: 0 }))?.amount
    ).toBeUndefined()
    expect(happeningOf(frame("order_updated", { order_id: "o" }))).toBeUndefined()
  })
})
