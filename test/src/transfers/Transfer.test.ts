import { describe, expect, it } from "bun:test"
import { Schema } from "effect"
import fc from "fast-check"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { encoderOf } from "../../../engine/wire/JsonEncoder.ts"
import { TransferReceipt } from "../../../src/api/Transfers.ts"
import { toReceipt } from "../../../src/transfers/Transfer.ts"
import { runs } from "../../lib/Property.ts"

const encode = encoderOf(TransferReceipt)
const decode = Schema.decodeSync(Schema.fromJsonString(TransferReceipt))

describe("A transfer's receipt", () => {
  it("names both owners and the units that moved", () => {
    const sent = fc.record({
      recipient: fc.string(),
      sender: fc.string({ unit: "binary" }),
      transferId: fc.string(),
      quantity: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(fromUnits)
    })
    fc.assert(
      fc.property(sent, ({ quantity, recipient, sender, transferId }) => {
        const receipt = decode(encode(toReceipt({ quantity, recipient, sender, transferId })))
        expect(receipt).toEqual({ to: recipient, from: sender, quantity, id: transferId })
      }),
      { numRuns: runs() }
    )
  })
})
