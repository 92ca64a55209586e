import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodePurchaseOrderEvent, encodePlaced } from "../../../engine/commerce/PurchaseOrderEventCodec.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseScenes.ts"

describe("PurchaseOrderEventCodec", () => {
  it("reads every event of an order's life back from its bytes, to the same bytes", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        for (const { event } of stages) {
          const read = decodePurchaseOrderEvent(encodeEvent(event))
          expect(read).toEqual(event)
          expect(encodeEvent(read)).toBe(encodeEvent(event))
          if (event._tag === "PurchaseOrderPlaced") expect(encodePlaced(event)).toBe(encodeEvent(event))
        }
      }),
      property()
    )
  })

  it("takes no other bytes", () => {
    expect(() => decodePurchaseOrderEvent(`{"_tag":"PurchaseOrderPlaced","at":1}`)).toThrow()
  })
})
