import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { TransferReceipt } from "../../../src/api/Transfers.ts"
import { receiptJson, toReceipt } from "../../../src/transfers/Transfer.ts"
import { runs } from "../../lib/Property.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(TransferReceipt))

describe("A transfer's receipt", () => {
  it("is written as the contract encodes it", () => {
    const sent = fc.record({
      recipient: fc.string(),
      sender: fc.string({ unit: "binary" }),
      transferId: fc.string(),
      quantity: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(fromUnits)
    })
    fc.assert(
      fc.property(sent, (one) => {
        expect(receiptJson(one)).toBe(encode(toReceipt(one)))
      }),
      { numRuns: runs() }
    )
  })
})
