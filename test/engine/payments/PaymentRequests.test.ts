import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { begin, buying, conclude, giveBack, MAX_OPEN, repeated } from "../../../engine/payments/PaymentRequests.ts"
import { cardOrder } from "../../lib/CardOrder.ts"
import { BUYER, SELLER, usd } from "../../lib/CompanyWorld.ts"

const refusedBy = (result: Result.Result<unknown, { readonly _tag: string }>): string | undefined =>
  Result.isFailure(result) ? result.failure._tag : undefined

const plan = {
  paymentId: "pay_x",
  orderId: "",
  payer: BUYER,
  provider: "sandbox-card",
  instrument: "approves",
  extent: "all",
  capture: "automatic"
} as const

describe("begin", () => {
  it("plans what the order takes, and refuses what it or the provider does not", () => {
    const { pay, situation } = cardOrder()
    pay("declines", "p")
    const { order } = situation("p")
    const counts = { total: 3, open: 0 }
    const begun = begin(order, plan, counts, () => true, 5)
    expect(Result.getOrThrow(begun)).toMatchObject({
      event: { at: 5, plan: { amount: usd(20) } },
      claim: "payment-of//3"
    })
    expect(refusedBy(begin(order, plan, counts, () => false, 5))).toBe("NotWholeCents")
    expect(refusedBy(begin(order, plan, { total: 3, open: MAX_OPEN }, () => true, 5))).toBe("TooManyOpen")
    expect(refusedBy(begin({ ...order, isCancelled: true }, plan, counts, () => true, 5))).toBe("NothingToPay")
  })

  it("takes another request under the key of one for what it is", () => {
    const { pay, situation } = cardOrder()
    pay("declines", "p")
    const { state } = situation("p")
    const { amount: _, ...same } = state.plan
    expect(refusedBy(repeated(state, { ...same, paymentId: "other" }))).toBeUndefined()
    expect(refusedBy(repeated(state, { ...same, capture: "manual" }))).toBe("KeyUsed")
    expect(refusedBy(buying(situation("p").order, SELLER.companyId))).toBe("WrongParty")
  })
})

describe("conclude", () => {
  it("is the buyer's, and done once under a request's id", () => {
    const { pay, situation } = cardOrder()
    pay("approves", "p", "manual")
    const { state } = situation("p")
    const of = { at: 1, userId: "u", requestId: "r" }
    expect(refusedBy(conclude(state, "capture", SELLER.companyId, of))).toBe("WrongParty")
    expect(Result.getOrThrow(conclude(state, "capture", BUYER.companyId, of))).toMatchObject({
      _tag: "PaymentCaptureRequested"
    })
    expect(Result.getOrThrow(conclude({ ...state, requestId: "r" }, "void", BUYER.companyId, of))).toBeUndefined()
  })
})

describe("giveBack", () => {
  it("is a seller's, after something was delivered, of at most what it was given", () => {
    const { pay, served, situation, trade } = cardOrder()
    pay("approves", "p")
    const asked = { refundId: "r", amount: undefined, at: 1 }
    expect(refusedBy(giveBack(situation("p"), SELLER.companyId, SELLER, asked))).toBe("CancelInstead")
    served(trade.fulfil(SELLER, { act: "fulfil", order: 0, stranger: false }, "f"))
    const paid = situation("p")
    expect(refusedBy(giveBack(paid, BUYER.companyId, BUYER, asked))).toBe("WrongParty")
    expect(Result.getOrThrow(giveBack(paid, SELLER.companyId, SELLER, asked))).toMatchObject({ amount: usd(20) })
    expect(refusedBy(giveBack(paid, SELLER.companyId, SELLER, { ...asked, amount: usd(21) }))).toBe("RefundTooLarge")
    expect(refusedBy(giveBack(paid, SELLER.companyId, SELLER, { ...asked, amount: fromUnits(1n) }))).toBe(
      "NotWholeCents"
    )
    expect(refusedBy(giveBack(paid, "co_9", { ...SELLER, companyId: "co_9" }, asked))).toBe("NothingPaid")
  })
})
