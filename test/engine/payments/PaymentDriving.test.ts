import { describe, expect, it } from "bun:test"
import { cardOrder } from "../../lib/CardOrder.ts"
import { BUYER, usd } from "../../lib/CompanyWorld.ts"

describe("drivePayment", () => {
  it("goes as far as the provider lets it, and charges a card once whatever is lost", () => {
    for (const [card, stage] of [
      ["approves", "captured"],
      ["loses_request", "captured"],
      ["loses_answer", "captured"],
      ["declines", "failed"],
      ["declines_capture", "failed"]
    ] as const) {
      const { cards, later, pay, situation } = cardOrder()
      pay(card, "p")
      later("p", 6)
      expect([card, situation("p").state.stage]).toEqual([card, stage])
      expect(cards.charges.get("pay_p")?.captured).toBe(stage === "captured" ? usd(20) : 0n)
    }
  })

  it("gives back what an order that was cancelled does not need", () => {
    const { cards, later, pay, served, situation, trade } = cardOrder()
    pay("approves", "p")
    served(trade.cancel(BUYER, { act: "cancelOrder", order: 0, stranger: false }, "c"))
    later("p", 3)
    expect(cards.charges.get("pay_p")?.refunded).toBe(usd(20))
    expect([...situation("p").state.refunds.values()]).toMatchObject([{ state: "succeeded", seller: null }])
  })

  it("asks anew for one refund where it is declined, at last once a day, until the money is back", () => {
    const { balance, cards, clock, desk, later, pay, served, situation, trade } = cardOrder()
    const day = 24 * 3_600_000
    pay("declines_refund", "p")
    served(trade.cancel(BUYER, { act: "cancelOrder", order: 0, stranger: false }, "c"))
    later("p", 40)
    const refunds = () => [...situation("p").state.refunds.values()]
    expect(refunds()).toMatchObject([
      { refundId: "rfd_p_1", state: "failed", failure: "refund_declined", attempts: 40 }
    ])
    const now = clock.currentTimeMillisUnsafe()
    expect(desk.due(now + day - 1)).toEqual([])
    expect(desk.due(now + day)).toEqual(["pay_p"])
    expect(balance("pay_p/USD/wallet")).toBe(usd(20))
    Object.assign(cards.charges.get("pay_p")!, { fate: "approves" })
    later("p", 2)
    expect(refunds()).toMatchObject([{ refundId: "rfd_p_1", state: "succeeded", failure: null, attempts: 41 }])
    expect(cards.charges.get("pay_p")?.refunded).toBe(usd(20))
    expect(balance("pay_p/USD/wallet")).toBe(usd(0))
  })

  it("lets go what an order would not take any more", () => {
    const { later, pay, served, situation, trade } = cardOrder()
    pay("approves", "p", "manual")
    served(trade.cancel(BUYER, { act: "cancelOrder", order: 0, stranger: false }, "c"))
    later("p", 3)
    expect(situation("p").state.stage).toBe("voided")
  })

  it("records a dispute and its end, and takes a lost one from who was paid", () => {
    const { balance, later, pay, situation } = cardOrder()
    pay("disputes_and_loses", "p")
    expect(balance("usr_co_0/USD/wallet")).toBe(usd(20))
    later("p", 1)
    later("p", 3)
    expect(situation("p").state.dispute?.state).toBe("lost")
    expect(balance("usr_co_0/USD/wallet")).toBe(usd(0))
  })

  it("fails a payment whose wallet has too little", () => {
    const { pay, situation } = cardOrder()
    pay(undefined, "p")
    expect(situation("p").state).toMatchObject({ stage: "failed", failure: "insufficient_funds" })
  })
})
