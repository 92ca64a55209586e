import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { created, evolve, paidDirectly } from "../../../engine/payments/Payment.ts"
import { paymentFacts, PaymentObject, paymentObject } from "../../../engine/payments/PaymentObject.ts"
import { runs } from "../../lib/Property.ts"
import { paymentEvent, paymentPlan } from "../../lib/PaymentArbitraries.ts"

const isPublished = Schema.is(PaymentObject)

describe("paymentObject", () => {
  it("satisfies its schema after whatever events", () => {
    fc.assert(
      fc.property(paymentPlan, fc.array(paymentEvent, { maxLength: 8 }), (plan, events) => {
        const state = created(plan, 5)
        for (const event of events) evolve(state, event)
        const object = paymentObject(paymentFacts(state, 9))
        expect(isPublished(object)).toBe(true)
        expect([object.amount, object.refunds.length]).toEqual([Number(plan.amount) / 1_000_000, state.refunds.size])
      }),
      { numRuns: runs() }
    )
  })

  it("names no extent where a wallet paid at once", () => {
    fc.assert(
      fc.property(paymentPlan, ({ amount, orderId, payer, paymentId }) => {
        const object = paymentObject(paymentFacts(paidDirectly(orderId, payer, { amount, paymentId }, 5), 5))
        expect(object).toMatchObject({ extent: null, provider: "wallet", status: "captured" })
        expect(object.captured).toBe(object.amount)
      }),
      { numRuns: runs() }
    )
  })
})
