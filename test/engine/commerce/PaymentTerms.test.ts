import { describe, expect, it } from "bun:test"
import { dueDates, isOnCredit } from "../../../engine/commerce/PaymentTerms.ts"

const at = (text: string): number => Date.parse(text)
const shown = (dates: ReadonlyArray<number>): ReadonlyArray<string> => dates.map((date) => new Date(date).toISOString())

describe("PaymentTerms", () => {
  it("is due at once, or after so many days", () => {
    const placedAt = at("2026-03-01T12:30:00Z")
    expect(dueDates({ type: "prepaid" }, placedAt)).toEqual([placedAt])
    expect(shown(dueDates({ type: "net_30" }, placedAt))).toEqual(["2026-03-31T12:30:00.000Z"])
    expect(shown(dueDates({ type: "net_60" }, placedAt))).toEqual(["2026-04-30T12:30:00.000Z"])
  })

  it("is due monthly, on the last day of a month without the day", () => {
    expect(shown(dueDates({ type: "installments", installments: 4 }, at("2027-11-30T23:59:59.999Z")))).toEqual([
      "2027-12-30T23:59:59.999Z",
      "2028-01-30T23:59:59.999Z",
      "2028-02-29T23:59:59.999Z",
      "2028-03-30T23:59:59.999Z"
    ])
  })

  it("is on credit unless it is prepaid", () => {
    expect(isOnCredit({ type: "prepaid" })).toBe(false)
    expect(isOnCredit({ type: "net_30" })).toBe(true)
    expect(isOnCredit({ type: "installments", installments: 2 })).toBe(true)
  })
})
