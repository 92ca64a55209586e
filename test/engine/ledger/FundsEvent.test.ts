import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import type { FundsEvent } from "../../../engine/ledger/FundsEvent.ts"
import { decodeFundsEvent } from "../../../engine/ledger/FundsEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

const amount = fromUnits(9_007_199_254_740_993n)

const minted = { _tag: "FundsMinted", at: 1, fundId: "f", owner: "o", asset: "USD", amount } as const

const events: ReadonlyArray<FundsEvent> = [
  { ...minted, externalReference: null },
  { ...minted, externalReference: "wire", posting: { id: "reference/wire", limited: false } },
  { _tag: "CapitalFunded", at: 1, account: "a/USD/wallet", asset: "USD", amount },
  { _tag: "AllowanceGranted", at: 1, traderId: "t", amount }
]

describe("decodeFundsEvent", () => {
  it("reads each event back to the bytes it was recorded with", () => {
    for (const event of events) {
      expect(decodeFundsEvent(encodeEvent(event))).toEqual(event)
      expect(encodeEvent(decodeFundsEvent(encodeEvent(event)))).toBe(encodeEvent(event))
    }
  })

  it("dies on bytes that no event encodes to", () => {
    const [first = minted] = events
    const bytes = encodeEvent(first)
    for (const wrong of ["", "{}", bytes.replace('"at":1', '"at":1.5'), bytes.replace("FundsMinted", "FundsMelted")]) {
      expect(() => decodeFundsEvent(wrong)).toThrow()
    }
  })
})
