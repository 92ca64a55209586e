import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

describe("PurchaseRecord", () => {
  it("is the order after its events, with the time of each payment and delivery", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const order = recordOf(stages.map(({ event }) => event))
        const last = stages.at(-1)
        expect(order?.state).toEqual(last!.after)
        expect(order?.updatedAt).toBe(last!.event.at)
        expect(order?.userId).toBe("usr_ada")
        for (const { event } of stages) {
          if (event._tag === "PurchaseOrderPaid") expect(order?.paidAt.get(event.payment.paymentId)).toBe(event.at)
          if (event._tag === "PurchaseOrderFulfilled") expect(order?.fulfilledAt.get(event.companyId)).toBe(event.at)
        }
      }),
      property()
    )
  })

  it("is nothing without a placement", () => {
    expect(recordOf([])).toBeUndefined()
  })
})
