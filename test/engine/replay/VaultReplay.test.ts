import { describe, expect, it } from "bun:test"
import type { OrderSettled } from "../../../engine/arena/ArenaEvent.ts"
import { lockedBy, NONE_LOCKED, VaultReplay } from "../../../engine/replay/VaultReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../../engine/replay/StoredEvent.ts"
import { ZERO } from "../../../engine/money/Amount.ts"
import { commitment, order, usd } from "../../lib/ArenaArbitraries.ts"

const stored: StoredEvent = { seq: 1, stream: "s", version: 1, type: "T", data: "", hash: "" }

const paid = { trader: usd("7"), insurance: usd("1"), platform: usd("1.5"), tokenHolders: usd("0.5") }

const settled: OrderSettled = {
  _tag: "OrderSettled",
  at: 1,
  orderId: "ord",
  assetType: "fx",
  winner: null,
  price: null,
  takeProfit: false,
  profit: ZERO,
  yieldDistributed: ZERO,
  yields: [{ commitmentId: "com", ...paid }],
  tieKey: ""
}

describe("VaultReplay", () => {
  it("adds up yields and what is locked", () => {
    const rows: Array<StateRow> = []
    const vault = new VaultReplay({ history: false, put: (row) => rows.push(row) })
    vault.step({ ...settled, yields: [] }, NONE_LOCKED, { collateral: 5n, count: 2n }, stored)
    vault.step(settled, { collateral: 3n, count: 1n }, NONE_LOCKED, stored)
    expect(rows).toEqual([])
    vault.finish()
    expect(rows).toEqual([{ table: "arena_vault_totals", values: ["true", "10000000", "2", "1"] }])
  })

  it("counts active and won commitments as locked", () => {
    const state = order()
    const statuses = ["active", "won", "lost", "settled"] as const
    for (const [index, status] of statuses.entries()) {
      const one = commitment(index + 1, { status, collateral: usd(`${index + 1}`) })
      state.commitments.add(one)
    }
    expect(lockedBy(state)).toEqual({ collateral: usd("3"), count: 2n })
  })
})
