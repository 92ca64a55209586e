import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { custodyOf, walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { created, declinedRefund, declinesOf, evolve, type PaymentState } from "../../../engine/payments/Payment.ts"
import { decide } from "../../../engine/payments/PaymentDecision.ts"
import { type PaymentProviderName } from "../../../engine/payments/PaymentPlan.ts"
import { paymentCommands } from "../../../engine/payments/PaymentCommands.ts"
import type { PaymentEvent } from "../../../engine/payments/PaymentEvent.ts"

const AMOUNT = fromUnits(100n)
const OWN = walletOf("pay_1", "USD")
const PAYER = walletOf("usr_1", "USD")
const SELLER = { userId: "usr_2", companyId: "cmp_2", wallet: walletOf("usr_2", "USD"), part: AMOUNT }
const of = { at: 2, paymentId: "pay_1" }

const stateOf = (provider: PaymentProviderName, change: Partial<PaymentState> = {}): PaymentState => ({
  ...created(
    {
      paymentId: "pay_1",
      orderId: "pur_1",
      payer: { userId: "usr_1", companyId: "cmp_1" },
      provider,
      instrument: null,
      amount: AMOUNT,
      extent: "all",
      capture: "automatic"
    },
    1
  ),
  ...change
})

describe("what a payment moves", () => {
  it("is reserved in a wallet and captured from there", () => {
    const wallet = stateOf("wallet")
    expect(paymentCommands(wallet, { _tag: "PaymentAuthorized", ...of, reference: null })).toEqual([
      { _tag: "Hold", id: "payment/pay_1", account: PAYER, into: OWN, amount: AMOUNT }
    ])
    expect(paymentCommands(wallet, { _tag: "PaymentCaptured", ...of })).toEqual([
      { _tag: "Capture", hold: "payment/pay_1", to: OWN, amount: AMOUNT, purpose: "purchase" }
    ])
    const released = [{ _tag: "Release", hold: "payment/pay_1" }] as const
    expect(paymentCommands(wallet, { _tag: "PaymentVoided", ...of })).toEqual([...released])
    const failed = { _tag: "PaymentFailed", ...of, reason: "declined" } as const
    expect(paymentCommands(wallet, failed)).toEqual([])
    expect(paymentCommands(stateOf("wallet", { stage: "capturing" }), failed)).toEqual([...released])
  })

  it("comes in from outside where a card pays, once it is captured", () => {
    const card = stateOf("stripe")
    const nothing: ReadonlyArray<PaymentEvent> = [
      { _tag: "PaymentAuthorized", ...of, reference: null },
      { _tag: "PaymentVoided", ...of },
      { _tag: "PaymentFailed", ...of, reason: "declined" },
      { _tag: "PaymentDisputed", ...of, disputeId: "d", amount: AMOUNT },
      { _tag: "PaymentDisputeWon", ...of, disputeId: "d" }
    ]
    for (const event of nothing) expect(paymentCommands(card, event)).toEqual([])
    expect(paymentCommands(card, { _tag: "PaymentCaptured", ...of })).toEqual([
      { _tag: "Transfer", id: "payment/pay_1", from: custodyOf("USD"), to: OWN, amount: AMOUNT, purpose: "purchase" }
    ])
  })

  it("goes back to what paid, and to the seller where that fails", () => {
    for (const [provider, back] of [
      ["wallet", PAYER],
      ["stripe", custodyOf("USD")]
    ] as const) {
      const state = stateOf(provider, { stage: "captured", taken: AMOUNT })
      const hold = "payment/pay_1/refund/rfd_1"
      const asked = {
        _tag: "PaymentRefundRequested",
        ...of,
        refundId: "rfd_1",
        amount: fromUnits(5n),
        seller: SELLER
      } as const
      expect(paymentCommands(state, asked)).toMatchObject([
        { _tag: "Transfer", from: SELLER.wallet, to: OWN, amount: 5n },
        { _tag: "Hold", id: hold, account: OWN, into: back, amount: 5n }
      ])
      evolve(state, asked)
      expect(paymentCommands(state, { _tag: "PaymentRefunded", ...of, refundId: "rfd_1" })).toEqual([
        { _tag: "Capture", hold, to: back, amount: fromUnits(5n), purpose: "refund" }
      ])
      expect(
        paymentCommands(state, { _tag: "PaymentRefundFailed", ...of, refundId: "rfd_1", reason: "x" })
      ).toMatchObject([
        { _tag: "Release", hold },
        { _tag: "Transfer", from: OWN, to: SELLER.wallet, amount: 5n }
      ])
    }
  })

  it("is set aside anew each time that what the order does not need is declined, and stays one refund", () => {
    const state = stateOf("stripe", { stage: "captured" })
    const asked = { _tag: "PaymentRefundRequested", ...of, refundId: "rfd_1", amount: AMOUNT, seller: null } as const
    const failed = { _tag: "PaymentRefundFailed", ...of, refundId: "rfd_1", reason: "x" } as const
    for (const hold of ["payment/pay_1/refund/rfd_1", "payment/pay_1/refund/rfd_1/2", "payment/pay_1/refund/rfd_1/3"]) {
      const id = hold
      expect(Result.getOrThrow(decide(state, asked)).commands).toMatchObject([{ _tag: "Hold", id, account: OWN }])
      evolve(state, asked)
      expect(Result.isFailure(decide(state, asked))).toBe(true)
      expect(paymentCommands(state, { _tag: "PaymentRefunded", ...of, refundId: "rfd_1" })).toMatchObject([
        { _tag: "Capture", hold }
      ])
      expect(Result.getOrThrow(decide(state, failed)).commands).toEqual([{ _tag: "Release", hold }])
      evolve(state, failed)
    }
    expect([...state.refunds.values()]).toMatchObject([{ attempts: 3, state: "failed", requestedAt: of.at }])
    expect(declinesOf(state)).toBe(3)
  })

  it("takes what was recorded when each decline left a refund of its own, and goes on with the last of them", () => {
    const state = stateOf("stripe", { stage: "captured" })
    for (const refundId of ["rfd_1", "rfd_2", "rfd_3"]) {
      const asked = { _tag: "PaymentRefundRequested", ...of, refundId, amount: AMOUNT, seller: null } as const
      const hold = `payment/pay_1/refund/${refundId}`
      expect(Result.getOrThrow(decide(state, asked)).commands).toMatchObject([{ _tag: "Hold", id: hold }])
      evolve(state, asked)
      evolve(state, { _tag: "PaymentRefundFailed", ...of, refundId, reason: "x" })
    }
    expect(declinedRefund(state)).toMatchObject({ refundId: "rfd_3", attempts: 1 })
    expect(declinesOf(state)).toBe(3)
  })

  it("is asked for once by a seller, that has its money again", () => {
    const state = stateOf("stripe", { stage: "captured", taken: AMOUNT })
    const amount = fromUnits(5n)
    const asked = { _tag: "PaymentRefundRequested", ...of, refundId: "rfd_1", amount, seller: SELLER } as const
    evolve(state, asked)
    evolve(state, { _tag: "PaymentRefundFailed", ...of, refundId: "rfd_1", reason: "x" })
    expect(Result.isFailure(decide(state, asked))).toBe(true)
    expect(Result.isFailure(decide(state, { ...asked, seller: null }))).toBe(true)
    expect(Result.isSuccess(decide(state, { ...asked, refundId: "rfd_2" }))).toBe(true)
    expect(declinedRefund(state)).toBeUndefined()
  })
})
