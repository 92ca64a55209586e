import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { appliedOf, capturedOf, refundedOf, refundingOf, statusOf } from "../../../engine/payments/Payment.ts"
import { shareOf } from "../../../engine/payments/PaymentShare.ts"
import { paymentIn } from "../../../engine/webhooks/PaymentDrafts.ts"
import { property } from "../../lib/Property.ts"
import { anyOthers, anyPlot, playedBy, SELLER, type Story } from "../../lib/SellerFixtures.ts"

const sharesIn = ({ order, payments }: Story, companyId: string) => {
  const record = recordOf(order)
  if (record === undefined) throw new Error("the order was not placed")
  return record.state.payments.flatMap(({ paymentId }) => {
    const payment = paymentIn(paymentId, payments.get(paymentId) ?? [], order)
    const share = payment === undefined ? undefined : shareOf(payment.state, record, companyId)
    return payment === undefined || share === undefined ? [] : [{ payment, share }]
  })
}

describe("A payment to one of the sellers", () => {
  it("does not change with what only others are given or give back", () => {
    fc.assert(
      fc.property(anyPlot, anyOthers, anyOthers, (plot, some, others) => {
        const shares = (story: Story) =>
          sharesIn(story, SELLER).map(({ share: { state, updatedAt } }) => ({ ...state, version: 0, updatedAt }))
        const seen = shares(playedBy(plot, some, true))
        expect(seen).toEqual(shares(playedBy(plot, others, false)))
        expect(seen).toEqual(shares(playedBy(plot, [], false)))
      }),
      property(2)
    )
  })

  it("adds up with the others' to the payment, and shows no instrument", () => {
    fc.assert(
      fc.property(anyPlot, anyOthers, (plot, others) => {
        const story = playedBy(plot, others, true)
        const sellers = [SELLER, "cyd", "dan"]
        const seen = sellers.flatMap((seller) => sharesIn(story, seller))
        for (const [state, same] of Map.groupBy(seen, ({ payment }) => payment.state.plan.paymentId)) {
          const whole = same[0]?.payment.state
          if (whole === undefined) throw new Error(`${state} has no shares`)
          for (const figure of [capturedOf, appliedOf, refundingOf, refundedOf]) {
            expect(same.reduce((sum, { share }) => sum + figure(share.state), 0n)).toBe(figure(whole))
          }
          for (const { share } of same) {
            expect([share.state.plan.instrument, share.state.reference]).toEqual([null, null])
            if (statusOf(whole) === "refunded") expect(statusOf(share.state)).toBe("refunded")
          }
        }
      }),
      property(2)
    )
  })

  it("is nothing until the order took it", () => {
    const [plot] = fc.sample(anyPlot, { numRuns: 1, seed: 3 })
    if (plot === undefined) throw new Error("there is no sample")
    const steps = [{ act: "all", isDirect: false, dollars: 1n, days: 0 } as const]
    const story = playedBy({ ...plot, steps }, [], false)
    const record = recordOf(story.order.slice(0, 1))
    const payment = paymentIn("pay_2", story.payments.get("pay_2") ?? [], story.order.slice(0, 1))
    if (record === undefined || payment === undefined) throw new Error("there is no payment")
    expect(shareOf(payment.state, record, SELLER)).toBeUndefined()
  })
})
