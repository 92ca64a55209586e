import { describe, expect, it } from "bun:test"
import { openedFunds } from "../../../engine/replay/FundOpening.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { transferred } from "../../lib/TransferEvents.ts"

describe("FundOpening", () => {
  it("gives a recipient a fund of what it got", () => {
    const of = (asset: string) => [{ owner: "bob", asset, fundId: undefined }]
    expect(openedFunds(transferred())).toEqual(of("USD"))
    expect(openedFunds(transferred({ side: "Buy" }))).toEqual(of("EUR"))
    expect(openedFunds(transferred({ mode: "local" }))).toEqual(of("EUR"))
    expect(openedFunds(transferred({ payout: true }))).toEqual([])
  })

  it("gives none for what pays into no wallet", () => {
    expect(openedFunds({ _tag: "AllowanceGranted", at: 1, traderId: "t", amount: usd("1") })).toEqual([])
  })
})
