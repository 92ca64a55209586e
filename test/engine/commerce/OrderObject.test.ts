import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { companiesOf, OrderObject, orderObject } from "../../../engine/commerce/OrderObject.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"
import { runs } from "../../lib/Property.ts"

describe("orderObject", () => {
  it("is what its schema encodes, to the last byte, for the buyer and each seller", () => {
    const encode = Schema.encodeSync(Schema.fromJsonString(OrderObject))
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const order = recordOf(stages.map(({ event }) => event))
        if (order === undefined) throw new Error("the first event places the order")
        for (const as of companiesOf(order.state)) {
          const shown = orderObject(order, as)
          expect(JSON.stringify(shown)).toBe(encode(shown))
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
