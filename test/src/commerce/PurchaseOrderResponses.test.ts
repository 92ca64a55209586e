import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { historyAnswers } from "../../../src/commerce/PurchaseOrderResponses.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

describe("historyAnswers", () => {
  it("tells the buyer all that happened, numbered without a gap", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const events = stages.map(({ event }) => event)
        const order = recordOf(events)
        if (order === undefined) throw new Error("the first event places the order")
        const told = historyAnswers({ as: order.state.terms.buyer.companyId, order, events })
        expect(told.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1))
        expect(told.map(({ user_id }) => user_id)).toEqual(events.map(({ userId }) => userId))
        expect(told[0]).toMatchObject({ type: "order.created", amount: order.state.terms.total })
      }),
      property()
    )
  })
})
