import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { instalmentSchedule, smallestTotal } from "../../../engine/commerce/InstalmentSchedule.ts"
import { FEWEST_INSTALMENTS, MOST_INSTALMENTS, type PaymentTerms } from "../../../engine/commerce/PaymentTerms.ts"
import { fromUnits, MAX } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const PLACED_AT = Date.parse("2026-01-31T08:00:00Z")
const terms: fc.Arbitrary<PaymentTerms> = fc.oneof(
  fc.constantFrom<PaymentTerms>({ type: "prepaid" }, { type: "net_30" }, { type: "net_60" }),
  fc.record({
    type: fc.constant("installments" as const),
    installments: fc.integer({ min: FEWEST_INSTALMENTS, max: MOST_INSTALMENTS })
  })
)
const amounts = (total: bigint, installments: number): ReadonlyArray<bigint> =>
  instalmentSchedule(fromUnits(total), { type: "installments", installments }, PLACED_AT).map(({ amount }) => amount)

describe("InstalmentSchedule", () => {
  it("divides into whole cents and leaves the rest on the first", () => {
    expect(amounts(100_000_000n, 3)).toEqual([33_340_000n, 33_330_000n, 33_330_000n].map(fromUnits))
    expect(amounts(120_000_001n, 2)).toEqual([60_000_001n, 60_000_000n].map(fromUnits))
    expect(amounts(20_000n, 2)).toEqual([10_000n, 10_000n].map(fromUnits))
  })

  it("sums to the total, in the order of its dates, with no part of nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(1n, 1_000_000n), fc.bigInt(1n, MAX)), terms, (units, chosen) => {
        const total = fromUnits(units)
        if (total < smallestTotal(chosen)) {
          expect(() => instalmentSchedule(total, chosen, PLACED_AT)).toThrow(RangeError)
          return
        }
        const schedule = instalmentSchedule(total, chosen, PLACED_AT)
        expect(schedule.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total)
        expect(schedule.map(({ number }) => number)).toEqual(schedule.map((_, index) => index + 1))
        const later = schedule.slice(1)
        expect(new Set(later.map(({ amount }) => amount)).size).toBeLessThanOrEqual(1)
        for (const [index, { amount, dueAt }] of later.entries()) {
          expect(amount > 0n && amount % 10_000n === 0n && amount <= (schedule[0]?.amount ?? 0n)).toBe(true)
          expect(dueAt).toBeGreaterThan(schedule[index]?.dueAt ?? Infinity)
        }
      }),
      property()
    )
  })
})
