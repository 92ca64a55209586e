import { describe, expect, it } from "bun:test"
import { unfinishedStep } from "../../../../engine/simulation/platform/PaymentRest.ts"
import { cardOrder } from "../../../lib/CardOrder.ts"
import { BUYER } from "../../../lib/CompanyWorld.ts"

describe("unfinishedStep", () => {
  it("is what is to be done next, and nothing of a payment that can stay as it is", () => {
    const { pay, situation } = cardOrder()
    pay("loses_answer", "p")
    expect(unfinishedStep(situation("p"), "loses_answer")?._tag).toBe("Authorize")
    pay("approves", "q")
    expect(unfinishedStep(situation("q"), "approves")).toBeUndefined()
  })

  it("is nothing where the card never gives back what is to go back, and something of any other card", () => {
    const { clock, desk, pay, run, served, situation, trade } = cardOrder()
    pay("declines_refund", "p")
    served(trade.cancel(BUYER, { act: "cancelOrder", order: 0, stranger: false }, "c"))
    clock.jump(100_000)
    run(desk.resume("pay_p"))
    expect(unfinishedStep(situation("p"), "declines_refund")).toBeUndefined()
    expect(unfinishedStep(situation("p"), "approves")?._tag).toMatch(/^(Request)?Refund$/)
    expect(desk.isOwing).toBe(false)
  })
})
