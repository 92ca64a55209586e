import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { companiesOf, orderObject } from "../../../engine/webhooks/OrderObject.ts"
import { orderAnswer, orderJson } from "../../../src/commerce/PurchaseOrderResponses.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"
import { runs } from "../../lib/Property.ts"

describe("orderObject", () => {
  it("is what the order's own endpoint answers to the same company, to the last byte", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const order = recordOf(stages.map(({ event }) => event))
        if (order === undefined) throw new Error("the first event places the order")
        for (const as of companiesOf(order.state)) {
          expect(JSON.stringify(orderObject(order, as))).toBe(orderJson(orderAnswer({ as, order })))
        }
      }),
      { numRuns: runs() }
    )
  })

  it("shows a seller nothing of the others", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const order = recordOf(stages.map(({ event }) => event))
        if (order === undefined) throw new Error("the first event places the order")
        for (const as of companiesOf(order.state).slice(1)) {
          const { items, sellers } = orderObject(order, as)
          expect(sellers.map(({ company_id }) => company_id)).toEqual([as])
          expect(new Set(items.map(({ seller_company_id }) => seller_company_id))).toEqual(new Set([as]))
        }
      }),
      { numRuns: runs() }
    )
  })
})
