import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  annualRate,
  BANDS,
  bandOf,
  creditLimit,
  LARGEST_APR,
  LARGEST_LIMIT
} from "../../../engine/credit/CreditPolicy.ts"
import { defaultProbability } from "../../../engine/credit/DefaultProbability.ts"
import { fromUnits, ONE, ZERO } from "../../../engine/money/Amount.ts"
import { anyIncome, anyLoan } from "../../lib/CreditArbitraries.ts"
import { property } from "../../lib/Property.ts"

const anyScore = fc.integer({ min: 300, max: 850 })

describe("bandOf", () => {
  it("divides the scale", () => {
    expect([850, 650, 649, 600, 599, 550, 549, 500, 499, 300].map(bandOf)).toEqual([
      "A",
      "A",
      "B",
      "B",
      "C",
      "C",
      "D",
      "D",
      "E",
      "E"
    ])
    expect(BANDS).toEqual(["A", "B", "C", "D", "E"])
  })
})

describe("creditLimit", () => {
  const income = fromUnits(40_000n * ONE)

  it("is a share of the income, what is asked, or the largest", () => {
    expect(creditLimit(650, income, 30_000)).toBe(fromUnits(12_000n * ONE))
    expect(creditLimit(649, income, 30_000)).toBe(fromUnits(10_000n * ONE))
    expect(creditLimit(599, income, 30_000)).toBe(fromUnits(6_000n * ONE))
    expect(creditLimit(549, income, 30_000)).toBe(fromUnits(3_200n * ONE))
    expect(creditLimit(499, income, 30_000)).toBe(ZERO)
    expect(creditLimit(650, income, 5_000)).toBe(fromUnits(5_000n * ONE))
    expect(creditLimit(850, fromUnits(1_000_000n * ONE), 900_000)).toBe(LARGEST_LIMIT)
    expect(creditLimit(650, fromUnits(3_333_333n), 30_000)).toBe(ZERO)
    expect(creditLimit(650, fromUnits(3_333_334n), 30_000)).toBe(fromUnits(ONE))
  })

  it("never falls with score, income or what is asked, and is whole", () => {
    fc.assert(
      fc.property(anyScore, anyScore, anyIncome, anyIncome, anyLoan, anyLoan, (score, s, income, i, loan, l) => {
        const limit = creditLimit(score, income, loan)
        const higher = creditLimit(Math.max(score, s), income > i ? income : i, Math.max(loan, l))
        expect(higher).toBeGreaterThanOrEqual(limit)
        expect(limit % ONE).toBe(0n)
        expect(limit).toBeGreaterThanOrEqual(0n)
        expect(limit).toBeLessThanOrEqual(BigInt(loan) * ONE)
      }),
      property()
    )
  })
})

describe("annualRate", () => {
  it("adds expected losses, rounded up", () => {
    expect(annualRate(0)).toBe(600)
    expect(annualRate(50_000)).toBe(600 + 316)
    expect(annualRate(1)).toBe(601)
  })

  it("never rises with the score, and has an end", () => {
    for (let points = -400; points < 1_200; points++) {
      expect(annualRate(defaultProbability(points + 1))).toBeLessThanOrEqual(annualRate(defaultProbability(points)))
    }
    expect(annualRate(999_999)).toBe(Number(LARGEST_APR))
    expect(annualRate(1_000_000)).toBe(Number(LARGEST_APR))
  })
})
