import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { PurchaseOrderAnswer } from "../../../src/api/PurchaseOrders.ts"
import { orderAnswer, orderJson } from "../../../src/commerce/PurchaseOrderResponses.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(PurchaseOrderAnswer))

describe("PurchaseOrderResponses", () => {
  it("write the text that the contract encodes, for the buyer and each seller at every stage", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        for (const { after: state } of stages) {
          const order = {
            state,
            userId: "usr_ada",
            updatedAt: 9,
            paidAt: new Map(),
            fulfilledAt: new Map(Array.from(state.fulfilledBy, (companyId) => [companyId, 7]))
          }
          for (const as of ["ada", "bob", "cyd"]) {
            const answer = orderAnswer({ order, as })
            expect(orderJson(answer)).toBe(encode(answer))
          }
        }
      }),
      property()
    )
  })
})
