import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { arrearsIn, claimsOf, isFrozen, lastFound, nextFound } from "../../../engine/commerce/Arrears.ts"
import { ORDER_COLUMNS } from "../../../engine/commerce/PurchaseOrderColumns.ts"
import { recordOf } from "../../../engine/commerce/PurchaseRecord.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"

describe("Arrears", () => {
  it("are what is overdue of an order, as its row says, and freeze while there are any", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        const order = recordOf(stages.map(({ event }) => event))
        if (order === undefined) throw new Error("it was not placed")
        const arrears = arrearsIn("ada", 3, [order.state])
        const amount = ORDER_COLUMNS.overdue_amount(order)
        expect(isFrozen(arrears)).toBe(amount !== null)
        expect(arrears).toEqual({
          companyId: "ada",
          last: 3,
          owed: fromUnits(BigInt(amount ?? 0)),
          first: amount === null ? undefined : "pur_1",
          others: 0
        })
      }),
      property()
    )
  })

  it("are found one after another, each under the next name of each company", () => {
    const [ada, bob] = [arrearsIn("ada", 2, []), arrearsIn("bob", 0, [])]
    const event = { at: 1, userId: null, companyId: "ada", orderId: "pur_1", instalment: 1 } as const
    expect(claimsOf({ _tag: "PurchaseOrderOverdue", ...event }, [ada, bob])).toEqual([
      "overdue/ada/000000003",
      "overdue/bob/000000001"
    ])
    expect(claimsOf({ _tag: "PurchaseOrderPaymentDue", ...event }, [ada])).toEqual([])
    expect([lastFound(nextFound(ada)), lastFound(null)]).toEqual([3, 0])
  })
})
