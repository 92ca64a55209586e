import { describe, expect, it } from "bun:test"
import { IllegalOrderAct } from "../../../engine/commerce/PurchaseOrderError.ts"

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
