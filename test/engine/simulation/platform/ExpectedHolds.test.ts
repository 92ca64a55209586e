import { describe, expect, it } from "bun:test"
import { ExpectedHolds } from "../../../../engine/simulation/platform/ExpectedHolds.ts"

type Event = Parameters<ExpectedHolds["event"]>[0]

const placed = {
  _tag: "PurchaseOrderPlaced",
  terms: {
    orderId: "pur_1",
    buyer: { companyId: "b", creditLimit: "u/USD-CREDIT/credit_limit" },
    lines: [{ sellerId: "s", productId: "p", quantity: 3 }],
    paymentTerms: { type: "net_30" },
    schedule: [{ number: 1, amount: "500" }]
  }
} as unknown as Event

const about = (event: object): Event => event as Event

describe("ExpectedHolds", () => {
  it("holds stock until it is delivered, and credit until it is paid", () => {
    const holds = new ExpectedHolds()
    holds.event(placed)
    expect([holds.of("s/PRODUCT:p/stock"), holds.of("u/USD-CREDIT/credit_limit")]).toEqual([3_000_000n, 500n])
    holds.event(about({ _tag: "PurchaseOrderPaid", orderId: "pur_1", payment: { instalments: [1] } }))
    expect(holds.of("u/USD-CREDIT/credit_limit")).toBe(0n)
    holds.event(about({ _tag: "PurchaseOrderFulfilled", orderId: "pur_1", companyId: "s" }))
    expect(holds.of("s/PRODUCT:p/stock")).toBe(0n)
  })

  it("holds nothing of an order that was cancelled", () => {
    const holds = new ExpectedHolds()
    holds.event(placed)
    holds.event(about({ _tag: "PurchaseOrderCancelled", orderId: "pur_1" }))
    expect([holds.of("s/PRODUCT:p/stock"), holds.of("u/USD-CREDIT/credit_limit")]).toEqual([0n, 0n])
  })

  it("holds what a wallet authorized, and what is on its way back", () => {
    const holds = new ExpectedHolds()
    const plan = { amount: "70", payer: { userId: "u" }, paymentId: "pay_1", provider: "wallet" }
    holds.event(about({ _tag: "PaymentCreated", plan }))
    holds.event(about({ _tag: "PaymentAuthorized", paymentId: "pay_1" }))
    expect(holds.of("u/USD/wallet")).toBe(70n)
    holds.event(about({ _tag: "PaymentCaptured", paymentId: "pay_1" }))
    holds.event(about({ _tag: "PaymentRefundRequested", paymentId: "pay_1", refundId: "r", amount: "20" }))
    expect([holds.of("u/USD/wallet"), holds.of("pay_1/USD/wallet")]).toEqual([0n, 20n])
    holds.event(about({ _tag: "PaymentRefunded", paymentId: "pay_1", refundId: "r" }))
    expect(holds.of("pay_1/USD/wallet")).toBe(0n)
  })
})
