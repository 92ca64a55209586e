import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodePaymentEvent } from "../../../engine/payments/PaymentEvent.ts"
import { paymentEvent } from "../../lib/PaymentArbitraries.ts"
import { property } from "../../lib/Property.ts"

describe("payment events", () => {
  it("are read back from their bytes as they were", () => {
    fc.assert(
      fc.property(paymentEvent, (event) => {
        const bytes = encodeEvent(event)
        expect(decodePaymentEvent(bytes)).toEqual(event)
        expect(encodeEvent(decodePaymentEvent(bytes))).toBe(bytes)
      }),
      property()
    )
  })

  it("are refused where a field is missing", () => {
    expect(() => decodePaymentEvent(`{"_tag":"PaymentRefunded","at":1,"paymentId":"pay_1"}`)).toThrow()
  })
})
