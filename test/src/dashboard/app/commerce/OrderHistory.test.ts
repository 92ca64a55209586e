import { describe, expect, it } from "bun:test"
import { actSentence, type OrderAct } from "../../../../../src/dashboard/app/commerce/OrderHistory.ts"

const reader = { userId: "usr_1", companyId: "cmp_1", nameOf: (id: string) => `The company ${id}` }

const act = (change: Partial<OrderAct>): OrderAct => ({
  type: "order.created",
  userId: "usr_1",
  companyId: "cmp_1",
  amount: null,
  reason: null,
  ...change
})

describe("An order's history", () => {
  it("says who did what", () => {
    expect(actSentence(act({ amount: "$12.00" }), reader)).toBe("You placed the order over $12.00.")
    expect(actSentence(act({ type: "order.paid", userId: "usr_2", amount: "$5.00" }), reader)).toBe(
      "A colleague paid $5.00."
    )
    expect(actSentence(act({ type: "order.fulfilled", userId: "usr_9", companyId: "cmp_9" }), reader)).toBe(
      "The company cmp_9 delivered its items."
    )
    expect(actSentence(act({ type: "order.fulfilled" }), reader)).toBe("You delivered your items.")
  })

  it("says what was found of an instalment, by nobody", () => {
    const found = { userId: null, companyId: null, amount: "$7.00" }
    expect(actSentence(act({ type: "order.payment_due", ...found }), reader)).toBe(
      "An instalment of $7.00 is due soon."
    )
    expect(actSentence(act({ type: "order.overdue", ...found }), reader)).toBe("An instalment of $7.00 is overdue.")
  })

  it("gives the reason of a cancellation where there is one", () => {
    expect(actSentence(act({ type: "order.cancelled" }), reader)).toBe("You cancelled the order.")
    expect(actSentence(act({ type: "order.cancelled", reason: "" }), reader)).toBe("You cancelled the order.")
    expect(actSentence(act({ type: "order.cancelled", reason: "out of stock" }), reader)).toBe(
      "You cancelled the order: out of stock"
    )
  })
})
