import { describe, expect, it } from "bun:test"
import { PAYMENT_STATUSES } from "../../../../../engine/payments/Payment.ts"
import {
  adviceOf,
  openPaymentActs,
  reasonOf,
  type ReadPayment
} from "../../../../../src/dashboard/app/payments/PaymentReading.ts"
import { TEST_CARDS } from "../../../../../src/payments/TestCards.ts"

const payment = (change: Partial<ReadPayment>): ReadPayment => ({
  status: "captured",
  failure: null,
  dispute: null,
  refunding: 0,
  ...change
})

describe("Reading a payment", () => {
  it("says first what is disputed, then what is on its way, then where it stands", () => {
    expect(adviceOf(payment({}), "payer")).toBeUndefined()
    expect(adviceOf(payment({ dispute: "open", refunding: 5 }), "seller")?.text).toContain("your USD fund")
    expect(adviceOf(payment({ dispute: "open" }), "payer")?.text).toContain("Your bank decides")
    expect(adviceOf(payment({ dispute: "lost" }), "seller")?.tone).toBe("bad")
    expect(adviceOf(payment({ refunding: 5 }), "payer")?.title).toBe("A refund is on its way")
    expect(adviceOf(payment({ status: "processing" }), "payer")?.tone).toBe("wait")
    expect(adviceOf(payment({ status: "failed", failure: "card_declined" }), "payer")?.text).toBe(
      "The bank declined the card. Nothing was taken."
    )
  })

  it("knows every reason that a test card gives, and gives others as they are", () => {
    for (const { declines = {} } of TEST_CARDS) {
      for (const code of Object.values(declines)) expect(reasonOf(code)).not.toContain(code)
    }
    expect(reasonOf("lost_card")).toBe("The provider said: lost_card.")
  })

  it("offers each side its own acts", () => {
    const acts = (change: Partial<ReadPayment>, side: "payer" | "seller", hasDelivered = true) =>
      openPaymentActs(payment(change), side, hasDelivered)
    expect(acts({ status: "authorized" }, "payer").canConclude).toBe(true)
    expect(acts({ status: "authorized" }, "seller").canConclude).toBe(false)
    expect(acts({}, "seller").canRefund).toBe(true)
    expect(acts({}, "payer").canRefund).toBe(false)
    expect(acts({}, "seller", false).canRefund).toBe(false)
    expect(acts({ dispute: "open" }, "seller").canRefund).toBe(false)
    expect(acts({ dispute: "won" }, "seller").canRefund).toBe(true)
    const anew = PAYMENT_STATUSES.filter((status) => acts({ status }, "payer").canPayAnew)
    expect(anew).toEqual(["failed", "voided"])
  })
})
