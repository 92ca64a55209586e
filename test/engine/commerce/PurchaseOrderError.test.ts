import { describe, expect, it } from "bun:test"
import { CreditFrozen, IllegalOrderAct } from "../../../engine/commerce/PurchaseOrderError.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

describe("An act that an order does not take", () => {
  it("is refused by how the order stands, in words, and once where both are the same", () => {
    const told = (status: "paid" | "cancelled", fulfilment: "partially_fulfilled" | "cancelled") =>
      new IllegalOrderAct({ act: "cancel", status, fulfilment }).message
    expect(told("cancelled", "cancelled")).toBe("The order is cancelled: it cannot be cancelled now.")
    expect(told("paid", "partially_fulfilled")).toBe(
      "The order is paid and partially fulfilled: it cannot be cancelled now."
    )
  })
})

describe("An order on credit while something is overdue", () => {
  it("is refused by what to pay", () => {
    const told = (others: number) => new CreditFrozen({ owed: fromUnits(12_500_000n), first: "pur_1", others }).message
    const pay = "pay them with POST /v1/orders/{id}/pay first, or order prepaid."
    expect(told(0)).toBe(`12.5 USD of pur_1 are overdue: ${pay}`)
    expect(told(1)).toBe(`12.5 USD of pur_1 and another order are overdue: ${pay}`)
    expect(told(2)).toBe(`12.5 USD of pur_1 and 2 other orders are overdue: ${pay}`)
  })
})
