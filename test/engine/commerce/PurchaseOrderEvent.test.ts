import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodePurchaseOrderEvent } from "../../../engine/commerce/PurchaseOrderEvent.ts"
import { encodePlatformEvent } from "../../../engine/replay/EventCodec.ts"
import { property } from "../../lib/Property.ts"
import { anyPurchase } from "../../lib/PurchaseFixtures.ts"
import fc from "fast-check"

describe("PurchaseOrderEvent", () => {
  it("reads every event of an order's life back from its bytes, to the same bytes", () => {
    fc.assert(
      fc.property(anyPurchase, (stages) => {
        for (const { event } of stages) {
          const read = decodePurchaseOrderEvent(encodeEvent(event))
          expect(read).toEqual(event)
          expect(encodeEvent(read)).toBe(encodeEvent(event))
          if (event._tag === "PurchaseOrderPlaced") expect(encodePlatformEvent(event)).toBe(encodeEvent(event))
        }
      }),
      property()
    )
  })

  it("takes no other bytes", () => {
    expect(() => decodePurchaseOrderEvent(`{"_tag":"PurchaseOrderPlaced","at":1}`)).toThrow()
  })
})
