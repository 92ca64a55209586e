import { describe, expect, it } from "bun:test"
import { fromUnits, ZERO } from "../../../engine/money/Amount.ts"
import { created, type PaymentState } from "../../../engine/payments/Payment.ts"
import { type PaymentPlan } from "../../../engine/payments/PaymentPlan.ts"
import { nextStep } from "../../../engine/payments/PaymentStep.ts"

const AMOUNT = fromUnits(100n)

const stateOf = (change: Partial<PaymentState>, plan: Partial<PaymentPlan> = {}): PaymentState => ({
  ...created(
    {
      paymentId: "pay_1",
      orderId: "pur_1",
      payer: { userId: "usr_1", companyId: "cmp_1" },
      provider: "sandbox-card",
      instrument: "approve",
      amount: AMOUNT,
      extent: "all",
      capture: "automatic",
      ...plan
    },
    1
  ),
  ...change
})

const stepOf = (state: PaymentState, takes = ZERO) => nextStep(state, takes)?._tag

const unneeded = (state: "pending" | "failed" | "succeeded") =>
  new Map([
    [
      "rfd_1",
      {
        refundId: "rfd_1",
        amount: AMOUNT,
        seller: null,
        requestedAt: 1,
        askedAt: 1,
        attempts: 1,
        state,
        failure: null,
        settledAt: null
      }
    ]
  ])

describe("the next step of a payment", () => {
  it("follows its stage", () => {
    expect(stepOf(stateOf({}))).toBe("Authorize")
    expect(stepOf(stateOf({ stage: "capturing" }))).toBe("Capture")
    expect(stepOf(stateOf({ stage: "voiding" }))).toBe("Void")
    expect(stepOf(stateOf({ stage: "failed" }))).toBeUndefined()
    expect(stepOf(stateOf({ stage: "voided" }))).toBeUndefined()
  })

  it("of an authorized one is what its order and its caller want", () => {
    const state = stateOf({ stage: "authorized" })
    expect(stepOf(state, AMOUNT)).toBe("RequestCapture")
    expect(stepOf(state)).toBe("RequestVoid")
    expect(stepOf(state, fromUnits(99n))).toBe("RequestVoid")
    expect(stepOf(stateOf({ stage: "authorized" }, { capture: "manual" }), AMOUNT)).toBeUndefined()
  })

  it("of a captured one gives the order what it takes, and the rest back", () => {
    const captured = { stage: "captured" as const }
    expect(stepOf(stateOf(captured), AMOUNT)).toBe("Apply")
    expect(stepOf(stateOf(captured), fromUnits(99n))).toBe("Apply")
    expect(nextStep(stateOf(captured), fromUnits(101n))).toEqual({ _tag: "RequestRefund", amount: AMOUNT })
    expect(nextStep(stateOf({ ...captured, taken: fromUnits(99n) }), ZERO)).toEqual({
      _tag: "RequestRefund",
      amount: fromUnits(1n)
    })
    expect(stepOf(stateOf({ ...captured, refunds: unneeded("pending") }), AMOUNT)).toBe("Refund")
    expect(stepOf(stateOf({ ...captured, refunds: unneeded("failed") }), AMOUNT)).toBe("RequestRefund")
    expect(stepOf(stateOf({ ...captured, refunds: unneeded("succeeded") }), AMOUNT)).toBe("LookForDispute")
  })

  it("watches for disputes of cards alone, until they are decided", () => {
    const done = { stage: "captured" as const, taken: AMOUNT }
    const dispute = (state: "open" | "won" | "lost") => ({
      ...done,
      dispute: { disputeId: "d", amount: AMOUNT, state, changedAt: 0 }
    })
    expect(stepOf(stateOf(done))).toBe("LookForDispute")
    expect(stepOf(stateOf(done, { provider: "wallet" }))).toBeUndefined()
    expect(stepOf(stateOf(dispute("open")))).toBe("LookForDispute")
    expect(stepOf(stateOf(dispute("won")))).toBeUndefined()
    expect(stepOf(stateOf({ ...dispute("lost"), isReturned: true }))).toBeUndefined()
    expect(stepOf(stateOf({ ...dispute("won"), isReturned: true }))).toBe("RequestRefund")
  })
})
