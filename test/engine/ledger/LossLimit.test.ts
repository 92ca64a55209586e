import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf } from "../../../engine/ledger/Funding.ts"
import {
  grantLossAllowance,
  lossAllowanceOf,
  lossLimitOf,
  moveLossAllowance
} from "../../../engine/ledger/LossLimit.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

describe("LossLimit", () => {
  it("is the percentage of what was funded, rounded down", () => {
    expect(lossLimitOf(fromUnits(1_000n * ONE), fromUnits(20n * ONE))).toBe(fromUnits(200n * ONE))
    expect(lossLimitOf(fromUnits(99n), fromUnits(10n * ONE))).toBe(fromUnits(9n))
  })

  it("is an account that follows every move and lets nobody lose more than it has", () => {
    const moves = fc.array(fc.bigInt({ min: -50n, max: 50n }), { maxLength: 30 })
    fc.assert(
      fc.property(moves, (asked) => {
        const book = new Book()
        let left = 0n
        for (const [turn, amount] of asked.entries()) {
          const fits = left + amount >= 0n
          expect(Result.isSuccess(book.apply(moveLossAllowance("bot_1", turn, fromUnits(amount))))).toBe(fits)
          if (fits) left += amount
        }
        expect(book.account(lossAllowanceOf("bot_1")).balance).toBe(fromUnits(left))
        expect(book.account(custodyOf("USD-ALLOWANCE")).balance).toBe(fromUnits(-left))
      }),
      property()
    )
  })

  it("is counted apart from money", () => {
    const book = new Book()
    expect(Result.isSuccess(book.apply([grantLossAllowance("mtr_1", fromUnits(7n))]))).toBe(true)
    expect(book.account(lossAllowanceOf("mtr_1")).balance).toBe(fromUnits(7n))
    expect(book.account(custodyOf("USD-ALLOWANCE")).balance).toBe(fromUnits(-7n))
    expect(book.account(custodyOf("USD")).balance).toBe(fromUnits(0n))
  })
})
