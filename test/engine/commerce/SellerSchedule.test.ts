import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { instalmentSchedule } from "../../../engine/commerce/InstalmentSchedule.ts"
import { orderSchedule, sellerParts, subtotalsOf } from "../../../engine/commerce/SellerSchedule.ts"
import { walletOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const share = fc.record({
  sellerId: fc.constantFrom("bob", "cyd", "dan"),
  wallet: fc.constantFrom(walletOf("usr_1", "USD"), walletOf("usr_2", "USD")),
  subtotal: fc.bigInt(120_000n, 10n ** 12n).map(fromUnits)
})

const installments = fc.integer({ min: 2, max: 12 })

describe("SellerSchedule", () => {
  it("is for one seller the schedule of its total", () => {
    fc.assert(
      fc.property(share, installments, ({ subtotal, ...one }, count) => {
        const terms = { type: "installments", installments: count } as const
        expect(orderSchedule([{ ...one, subtotal }], terms, 5)).toEqual(instalmentSchedule(subtotal, terms, 5))
      }),
      property()
    )
  })

  it("is the sum of the sellers' own parts, in whole cents after the first", () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 6 }), installments, (shares, count) => {
        const terms = { type: "installments", installments: count } as const
        const schedule = orderSchedule(shares, terms, 5)
        const subtotals = [...subtotalsOf(shares).values()]
        expect(schedule.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
          subtotals.reduce((sum, one) => sum + one, 0n)
        )
        for (const [index, { amount, number }] of schedule.entries()) {
          expect(number).toBe(index + 1)
          expect(amount).toBe(
            fromUnits(subtotals.reduce((sum, one) => sum + (sellerParts(one, terms)[index] ?? 0n), 0n))
          )
          if (index > 0) expect(amount % 10_000n).toBe(0n)
        }
      }),
      property()
    )
  })
})
