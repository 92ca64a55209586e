import { describe, expect, it } from "bun:test"
import { walletOf } from "../../../engine/ledger/Funding.ts"
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

  it("gives each seller that an order's payment reaches a fund of USD", () => {
    const payment = {
      paymentId: "pay_1",
      from: walletOf("ada", "USD"),
      amount: usd("3"),
      parts: [usd("3"), usd("0")],
      to: [walletOf("bob", "USD"), walletOf("cyd", "USD")],
      instalments: [1]
    }
    const act = { at: 1, userId: "ada", companyId: "cmp", orderId: "pur_1" }
    expect(openedFunds({ _tag: "PurchaseOrderPaid", ...act, payment })).toEqual([
      { owner: "bob", asset: "USD", fundId: undefined }
    ])
  })

  it("gives none for what pays into no wallet", () => {
    expect(openedFunds({ _tag: "AllowanceGranted", at: 1, traderId: "t", amount: usd("1") })).toEqual([])
  })
})
