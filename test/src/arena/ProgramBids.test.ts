import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { bidOf } from "../../../src/arena/ProgramBids.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"

const REQUEST = { order_id: "ord_1", proposed_entry_price: 1.5, expected_exit_price: 2, quantity: 3 }

describe("what a trading program asks for", () => {
  it("is read as a commitment of the contract", () => {
    expect(Result.getOrThrow(bidOf(REQUEST))).toMatchObject({
      orderId: "ord_1",
      proposedPrice: usd("1.5"),
      exitPrice: usd("2"),
      quantity: usd("3"),
      slippage: usd("0")
    })
  })

  it("is refused with the order that it names, where it names one", () => {
    const refusalOf = (asked: unknown) => Result.getOrThrow(Result.flip(bidOf(asked)))
    expect(refusalOf({ ...REQUEST, quantity: "3" })).toMatchObject({ order_id: "ord_1", code: "invalid_request" })
    for (const asked of [undefined, null, 1, "bid", [], {}]) expect(refusalOf(asked).order_id).toBe("")
  })
})
