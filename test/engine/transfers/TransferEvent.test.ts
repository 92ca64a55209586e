import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { fromUnits } from "../../../engine/money/Rate.ts"
import { decodeTransferEvent } from "../../../engine/transfers/TransferEvent.ts"
import { quoted, transferred, withdrawn } from "../../lib/TransferEvents.ts"

describe("TransferEvent", () => {
  it("reads back what was recorded", () => {
    const events = [
      transferred(),
      transferred({ mode: "local", rate: null, payout: true }),
      transferred({ worst: fromUnits(1n), quoteId: "fxq_1", side: "Buy" }),
      withdrawn,
      quoted()
    ]
    for (const event of events) expect(decodeTransferEvent(encodeEvent(event))).toEqual(event)
  })

  it("reads nothing else", () => {
    const otherMode = encodeEvent(transferred()).replace("international", "abroad")
    for (const text of ["", "{}", '{"_tag":"MoneyTransferred"}', otherMode]) {
      expect(() => decodeTransferEvent(text)).toThrow()
    }
  })
})
