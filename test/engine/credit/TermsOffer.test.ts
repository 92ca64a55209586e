import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { termsOffers } from "../../../engine/credit/TermsOffer.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const AT = 1_795_000_000_000
const dollars = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)
const reasonsOf = (amount: Amount, free: Amount | undefined, isVerified: boolean, isFrozen = false) =>
  termsOffers(amount, { free, isVerified, isFrozen }, AT).map(({ terms, reasons }) => ({ type: terms.type, reasons }))

describe("termsOffers", () => {
  it("offers all terms within the free limit to whoever is verified", () => {
    const offers = termsOffers(dollars(100), { free: dollars(100), isVerified: true, isFrozen: false }, AT)
    expect(offers.map(({ terms }) => (terms.type === "installments" ? terms.installments : terms.type))).toEqual([
      "prepaid",
      "net_30",
      "net_60",
      ...Array.from({ length: 11 }, (_, index) => index + 2)
    ])
    expect(offers.flatMap(({ reasons }) => reasons)).toEqual([])
  })

  it("says why terms on credit cannot be had, and always offers to pay at once", () => {
    const [prepaid, net] = reasonsOf(dollars(100), undefined, false)
    expect(prepaid).toEqual({ type: "prepaid", reasons: [] })
    expect(net).toEqual({ type: "net_30", reasons: ["not_assessed", "kyc_required"] })
    expect(reasonsOf(dollars(100), dollars(99), true)[1]?.reasons).toEqual(["limit_too_small"])
    expect(reasonsOf(dollars(100), dollars(100), false)[1]?.reasons).toEqual(["kyc_required"])
  })

  it("offers a company that owes what is overdue nothing but to pay at once", () => {
    const [prepaid, ...others] = reasonsOf(dollars(100), dollars(100), true, true)
    expect(prepaid).toEqual({ type: "prepaid", reasons: [] })
    expect(others.every(({ reasons }) => reasons.join() === "overdue")).toBe(true)
    expect(reasonsOf(dollars(100), undefined, false, true)[1]?.reasons).toEqual([
      "not_assessed",
      "kyc_required",
      "overdue"
    ])
  })

  it("divides into no less than cents", () => {
    const offers = termsOffers(fromUnits(30_000n), { free: dollars(1), isVerified: true, isFrozen: false }, AT)
    expect(offers.filter(({ reasons }) => reasons.includes("amount_too_small"))).toHaveLength(9)
    expect(offers.at(-1)?.schedule).toEqual([])
  })

  it("previews schedules that sum to the amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 8_000_000_000n * ONE }), (units) => {
        for (const { schedule, reasons } of termsOffers(
          fromUnits(units),
          { free: undefined, isVerified: true, isFrozen: false },
          AT
        )) {
          if (reasons.includes("amount_too_small")) expect(schedule).toEqual([])
          else expect(schedule.reduce((sum, { amount }) => sum + amount, 0n)).toBe(units)
        }
      }),
      property()
    )
  })
})
