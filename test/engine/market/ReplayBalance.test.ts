import { describe, expect, it } from "bun:test"
import { ReplayBalance } from "../../../engine/market/ReplayBalance.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

describe("ReplayBalance", () => {
  it("is what it began with and what was posted; what is held is not free", () => {
    const balance = new ReplayBalance(usd("100"))
    balance.hold(usd("30"))
    balance.post(usd("5"))
    expect([balance.balance, balance.free]).toEqual([usd("105"), usd("75")])
    balance.post(fromUnits(-usd("10")))
    balance.release(usd("30"))
    expect([balance.balance, balance.free]).toEqual([usd("95"), usd("95")])
  })
})
