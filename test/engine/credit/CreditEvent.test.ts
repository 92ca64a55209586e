import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { decodeCreditEvent } from "../../../engine/credit/CreditEvent.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { REQUEST } from "../../lib/CreditArbitraries.ts"
import { CreditLine } from "../../lib/CreditLine.ts"

describe("decodeCreditEvent", () => {
  it("reads what was written, byte for byte", () => {
    const line = new CreditLine()
    line.request("usr_1", { ...REQUEST, purpose: "a yacht", annualIncome: 65_000.5 })
    line.order("usr_1", fromUnits(ONE))
    line.request("usr_1", { ...REQUEST, annualIncome: 1 })
    line.repay("usr_1")
    line.trim("usr_1")
    expect(line.stored.map(({ type }) => type)).toEqual(["CreditAssessed", "CreditAssessed", "CreditLimitSet"])
    for (const { data } of line.stored) expect(encodeEvent(decodeCreditEvent(data))).toBe(data)
  })

  it("dies on other bytes", () => {
    expect(() => decodeCreditEvent("{}")).toThrow()
    expect(() => decodeCreditEvent(`{"_tag":"CreditLimitSet"}`)).toThrow()
  })
})
