import { describe, expect, it } from "bun:test"
import { InsufficientFunds } from "../../../engine/ledger/Book.ts"
import { chargeShortage, failureReasonOf } from "../../../engine/subscriptions/ChargeShortage.ts"
import { usd } from "../../lib/CompanyWorld.ts"

const short = (account: "u/USD/wallet" | "s/PRODUCT:p/stock") =>
  new InsufficientFunds({ account, available: usd(1), needed: usd(2) })

describe("chargeShortage", () => {
  it("is of pieces where a stock is short, else of money", () => {
    expect(chargeShortage(short("s/PRODUCT:p/stock"))).toMatchObject({ _tag: "PiecesMissing", left: 1 })
    expect(chargeShortage(short("u/USD/wallet"))).toMatchObject({ _tag: "PriceNotCovered", needed: usd(2) })
    expect([failureReasonOf(short("s/PRODUCT:p/stock")), failureReasonOf(short("u/USD/wallet"))]).toEqual([
      "out_of_stock",
      "insufficient_funds"
    ])
  })
})
