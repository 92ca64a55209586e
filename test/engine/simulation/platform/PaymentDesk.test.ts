import { describe, expect, it } from "bun:test"
import { cardOrder } from "../../../lib/CardOrder.ts"
import { BUYER, SELLER, usd } from "../../../lib/CompanyWorld.ts"

describe("PaymentDesk", () => {
  it("takes an order's money from a card, once", () => {
    const { balance, cards, desk, pay, situation } = cardOrder()
    expect(pay("approves", "p")).toBe("PaymentCreated")
    expect(situation("p").state.stage).toBe("captured")
    expect(pay("approves", "p")).toBe("PaymentCreated")
    expect(pay("approves", "q")).toBe("NothingToPay")
    expect(balance("usr_co_0/USD/wallet")).toBe(usd(20))
    expect(cards.charges.get("pay_p")?.captured).toBe(usd(20))
    expect(desk.isOwing).toBe(false)
  })

  it("asks again under the same key where an answer was lost, so that a card is charged once", () => {
    const { cards, clock, desk, journal, pay, run, situation } = cardOrder()
    pay("loses_answer", "p")
    expect(situation("p").state.stage).toBe("created")
    expect(desk.isOwing).toBe(true)
    for (let round = 0; round < 4; round++) {
      clock.jump(10_000)
      run(desk.resume("pay_p"))
    }
    expect(situation("p").state.stage).toBe("captured")
    expect(cards.charges.get("pay_p")?.captured).toBe(usd(20))
    expect(journal.account("usr_co_0/USD/wallet").balance).toBe(usd(20))
  })

  it("gives back what a seller returns, and refuses it before anything is delivered", () => {
    const { cards, desk, pay, served, trade } = cardOrder()
    pay("approves", "p")
    const refund = { act: "refund", payment: 0, stranger: false, amount: usd(5), times: 1 } as const
    expect(served(desk.refund(SELLER, refund, "r"))).toBe("CancelInstead")
    served(trade.fulfil(SELLER, { act: "fulfil", order: 0, stranger: false }, "f"))
    expect(served(desk.refund(SELLER, refund, "s"))).toBe("PaymentRefundRequested")
    expect(cards.charges.get("pay_p")?.refunded).toBe(usd(5))
    expect(served(desk.refund(SELLER, { ...refund, amount: usd(16) }, "t"))).toBe("RefundTooLarge")
  })

  it("takes a request that comes again for the same, whatever else is ready by then", () => {
    const { desk, pay, projection, served, situation, trade } = cardOrder()
    const items = [{ product: 0, quantity: 1 }]
    served(trade.order(BUYER, { act: "order", items, terms: { type: "prepaid" }, wrong: undefined }, "o2"))
    pay("approves", "p", "manual")
    const asked = { act: "void", payment: 1, stranger: false } as const
    expect(served(desk.conclude(BUYER, asked, "v"))).toBe("Payment_void")
    const order = { act: "pay", order: 1, stranger: false, extent: "all", times: 1, oldKey: false } as const
    served(desk.pay(BUYER, { ...order, card: "approves", capture: "manual" }, "q"))
    expect(projection.orderOf.size).toBe(2)
    expect(served(desk.conclude(BUYER, asked, "v"))).toBe("Payment_void")
    expect(situation("q").state.stage).toBe("authorized")
  })

  it("lets go for the buyer what is authorized, and takes it", () => {
    const { desk, pay, served, situation } = cardOrder()
    pay("approves", "p", "manual")
    expect(situation("p").state.stage).toBe("authorized")
    const act = { payment: 0, stranger: false } as const
    expect(served(desk.conclude(BUYER, { act: "void", ...act }, "v"))).toBe("Payment_void")
    expect(situation("p").state.stage).toBe("voided")
    expect(served(desk.conclude(BUYER, { act: "capture", ...act }, "c"))).toBe("IllegalPaymentAct")
  })
})
