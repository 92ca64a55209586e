import { describe, expect, it } from "bun:test"
import { naiveCollateral, naiveLimit, readCommitment, readOrder } from "../../../engine/simulation/NaiveOrder.ts"
import { commitment, terms } from "../../lib/ArenaArbitraries.ts"
import { wire } from "../../lib/AuditedChoices.ts"

describe("NaiveOrder", () => {
  it("rounds collateral up and limits down", () => {
    expect(naiveCollateral(10_000_000_000n, 1_000_000n)).toBe(381_000_000n)
    expect(naiveCollateral(1n, 1n)).toBe(1n)
    expect(naiveCollateral(1n, 0n)).toBe(0n)
    expect(naiveLimit(19n, 50_000n)).toBe(19n)
    expect(naiveLimit(20n, 50_000n)).toBe(21n)
  })

  it("reads an order and a commitment from their bytes", () => {
    const order = readOrder(wire(terms()))
    expect(order).toMatchObject({ entryPrice: 100_000_000n, quantity: 10_000_000n, status: "open", version: 1 })
    expect(readCommitment(wire(commitment(4, { slippage: terms().quantity })))).toMatchObject({
      ordinal: 4,
      owner: "alice",
      isMachine: false,
      limit: 1_122_000_000n,
      collateral: 3_810_000n,
      status: "active"
    })
  })
})
