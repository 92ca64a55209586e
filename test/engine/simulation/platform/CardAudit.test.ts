import { describe, expect, it } from "bun:test"
import { created, type PaymentStage, type PaymentState } from "../../../../engine/payments/Payment.ts"
import { auditCard } from "../../../../engine/simulation/platform/CardAudit.ts"
import { BUYER, usd } from "../../../lib/CompanyWorld.ts"

const plan = {
  paymentId: "pay_1",
  orderId: "pur_1",
  payer: BUYER,
  provider: "sandbox-card",
  instrument: "approves",
  amount: usd(20),
  extent: "all",
  capture: "automatic"
} as const

const payment = (stage: PaymentStage, refunds: ReadonlyArray<readonly [number, "pending" | "succeeded"]> = []) => ({
  ...created(plan, 0),
  stage,
  refunds: new Map(
    refunds.map(([dollars, state], index) => {
      const amount = usd(dollars)
      const refund = {
        refundId: `${index}`,
        amount,
        seller: null,
        requestedAt: 0,
        askedAt: 0,
        attempts: 1,
        state,
        failure: null,
        settledAt: null
      }
      return [refund.refundId, refund] as const
    })
  )
})

const found = (
  state: PaymentState | undefined,
  charge?: readonly [captured: number, refunded: number, void?: true]
) => {
  const problems: Array<string> = []
  const [captured, refunded, isVoided = false] = charge ?? [0, 0]
  const known = charge && { captured: usd(captured), refunded: usd(refunded), isVoided }
  auditCard({ paymentId: "pay_1", state, charge: known }, (_, detail) => void problems.push(detail))
  return problems.length
}

describe("auditCard", () => {
  it("takes nothing or all of it as captured while nobody knows, and what is known afterwards", () => {
    expect([0, 20, 7, 40].map((captured) => found(payment("capturing"), [captured, 0]))).toEqual([0, 0, 1, 1])
    expect([0, 20].map((captured) => found(payment("captured"), [captured, 0]))).toEqual([1, 0])
    expect([0, 20].map((captured) => found(payment("failed"), [captured, 0]))).toEqual([0, 1])
  })

  it("takes one refund as done while nobody knows, whole", () => {
    const state = payment("captured", [
      [5, "succeeded"],
      [4, "pending"],
      [3, "pending"]
    ])
    expect([0, 5, 7, 8, 9, 12].map((refunded) => found(state, [20, refunded]))).toEqual([1, 0, 1, 1, 0, 1])
  })

  it("takes a charge as let go where its payment is, and either way while nobody knows", () => {
    for (const [stage, expected] of [
      ["voided", [1, 0]],
      ["voiding", [0, 0]],
      ["authorized", [0, 1]]
    ] as const) {
      expect([found(payment(stage), [0, 0]), found(payment(stage), [0, 0, true])]).toEqual([...expected])
    }
  })

  it("finds a charge that nobody recorded, and a payment that the card never heard of", () => {
    expect(found(undefined, [0, 0])).toBe(1)
    expect((["created", "failed", "authorized", "captured"] as const).map((stage) => found(payment(stage)))).toEqual([
      0, 0, 1, 1
    ])
  })
})
