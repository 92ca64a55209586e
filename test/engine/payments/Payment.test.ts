import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import * as Payment from "../../../engine/payments/Payment.ts"
import { decide } from "../../../engine/payments/PaymentDecision.ts"
import { paymentEvent, paymentPlan } from "../../lib/PaymentArbitraries.ts"
import { property } from "../../lib/Property.ts"

const payer = { userId: "usr_1", companyId: "cmp_1" }
const direct = () => Payment.paidDirectly("pur_1", payer, { paymentId: "pay_1", amount: fromUnits(7n) }, 5)

describe("a payment's state", () => {
  it("takes events in an order that its decisions allow, and counts them", () => {
    fc.assert(
      fc.property(paymentPlan, fc.array(paymentEvent, { maxLength: 40 }), (plan, events) => {
        const state = Payment.created(plan, 1)
        let taken = 1
        for (const event of events) {
          const own = { ...event, paymentId: plan.paymentId }
          if (own._tag === "PaymentCreated" || decide(state, own)._tag === "Failure") continue
          Payment.evolve(state, own)
          taken += 1
          expect(state.version).toBe(taken)
          expect(Payment.refundedOf(state) + Payment.refundingOf(state) <= Payment.capturedOf(state)).toBe(true)
          expect(Payment.PAYMENT_STATUSES).toContain(Payment.statusOf(state))
        }
      }),
      property()
    )
  })

  it("of a wallet that paid at once is captured, and back when its order is cancelled", () => {
    const state = direct()
    expect(state).toMatchObject({ version: 0, stage: "captured", taken: 7n, isDirect: true })
    expect(Payment.statusOf(state)).toBe("captured")
    expect(Payment.unneededOf(state)).toBe(ZERO)
    state.isReturned = true
    expect(Payment.statusOf(state)).toBe("refunded")
    expect(Payment.appliedOf(state)).toBe(ZERO)
    expect(Payment.refundedOf(state)).toBe(fromUnits(7n))
  })

  it("names its stream, its account and its payer's wallet", () => {
    expect(Payment.paymentStream("pay_1")).toBe("payment/pay_1")
    expect(Payment.paymentAccount("pay_1")).toBe("pay_1/USD/wallet")
    expect(Payment.payerWallet(direct().plan)).toBe(walletOf("usr_1", "USD"))
  })

  it("asks anew for the last refund of what is not needed alone, and says when it was asked for last", () => {
    const state = direct()
    const of = { paymentId: "pay_1", userId: null, requestId: null }
    const asked = (refundId: string, at: number) =>
      Payment.evolve(state, {
        _tag: "PaymentRefundRequested",
        ...of,
        at,
        refundId,
        amount: fromUnits(2n),
        seller: null
      })
    const failed = (refundId: string, at: number) =>
      Payment.evolve(state, { _tag: "PaymentRefundFailed", ...of, at, refundId, reason: "declined" })
    asked("rfd_1", 10)
    failed("rfd_1", 11)
    expect(Payment.declinedRefund(state)?.refundId).toBe("rfd_1")
    asked("rfd_1", 20)
    expect(state.refunds.get("rfd_1")).toMatchObject({ requestedAt: 10, askedAt: 20, settledAt: null, attempts: 2 })
    failed("rfd_1", 21)
    asked("rfd_2", 30)
    expect(Payment.declinedRefund(state)).toBeUndefined()
    Payment.evolve(state, { _tag: "PaymentRefunded", ...of, at: 31, refundId: "rfd_2" })
    expect(Payment.declinedRefund(state)).toBeUndefined()
  })

  it("is contested until the dispute is won", () => {
    const state = direct()
    const dispute = { disputeId: "dsp_1", amount: fromUnits(1n) }
    const contested = [null, "open", "won", "lost"].map((now) => {
      state.dispute = now === null ? null : { ...dispute, state: now as "open", changedAt: 0 }
      return Payment.isContested(state)
    })
    expect(contested).toEqual([false, true, false, true])
  })
})
