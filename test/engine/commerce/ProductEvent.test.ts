import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { PRODUCT_TYPES } from "../../../engine/commerce/ProductFacts.ts"
import type { ProductEvent } from "../../../engine/commerce/ProductEvent.ts"
import { decodeProductEvent } from "../../../engine/commerce/ProductEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const act = { at: fc.nat(), userId: fc.string(), companyId: fc.string(), productId: fc.string() }
const facts = {
  name: fc.string(),
  description: fc.string(),
  price: fc.bigInt(1n, 8_000_000_000_000_000n).map(fromUnits),
  type: fc.constantFrom(...PRODUCT_TYPES),
  insurable: fc.boolean(),
  bidable: fc.boolean(),
  isContract: fc.boolean()
}
const anyEvent: fc.Arbitrary<ProductEvent> = fc.oneof(
  fc.record({ _tag: fc.constant("ProductListed" as const), ...act, facts: fc.record(facts), pieces: fc.nat() }),
  fc.record({
    _tag: fc.constant("ProductRevised" as const),
    ...act,
    changes: fc.record(facts, { requiredKeys: [] }),
    stock: fc.option(fc.record({ available: fc.nat(), moved: fc.integer() }))
  })
)

describe("ProductEvent", () => {
  it("reads every event back from its bytes, to the same bytes", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const read = decodeProductEvent(encodeEvent(event))
        expect(read).toEqual(event)
        expect(decodeProductEvent(encodeEvent(read))).toEqual(read)
      }),
      property()
    )
  })

  it("takes no other bytes", () => {
    expect(() => decodeProductEvent(`{"_tag":"ProductListed"}`)).toThrow()
  })
})
