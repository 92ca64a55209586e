import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { Book } from "../../../engine/ledger/Book.ts"
import {
  capital,
  custodyOf,
  grantMintAllowance,
  MINT_LIMIT,
  mint,
  mintAllowanceOf,
  mintWithinAllowance,
  walletOf
} from "../../../engine/ledger/Funding.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const owner = "usr_1"
const asset = "EUR"
const wallet = walletOf(owner, asset)

describe("minting within an allowance", () => {
  it("takes up to the limit and not one unit more", () => {
    const book = new Book()
    const all = mintWithinAllowance({ id: "1", owner, asset, amount: MINT_LIMIT })
    expect(Result.isFailure(book.apply(all))).toBe(true)
    expect(Result.isSuccess(book.apply([grantMintAllowance(owner, asset), ...all]))).toBe(true)
    const more = book.apply(mintWithinAllowance({ id: "2", owner, asset, amount: fromUnits(1n) }))
    expect(Result.isFailure(more) && more.failure._tag).toBe("InsufficientFunds")
    expect(book.account(wallet).balance).toBe(MINT_LIMIT)
  })

  it("never passes the limit, whatever is asked for, and sums to zero in each asset", () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: MINT_LIMIT }), { maxLength: 20 })
    fc.assert(
      fc.property(amounts, (asked) => {
        const book = new Book()
        book.apply([grantMintAllowance(owner, asset)])
        let taken = 0n
        for (const [index, amount] of asked.entries()) {
          const fits = taken + amount <= MINT_LIMIT
          const applied = book.apply(
            mintWithinAllowance({ id: String(index), owner, asset, amount: fromUnits(amount) })
          )
          expect(Result.isSuccess(applied)).toBe(fits)
          if (fits) taken += amount
        }
        expect(book.account(wallet).balance).toBe(fromUnits(taken))
        expect(book.account(mintAllowanceOf(owner, asset)).balance).toBe(fromUnits(MINT_LIMIT - taken))
        expect(book.account(custodyOf(asset)).balance).toBe(fromUnits(-taken))
        expect(book.account(custodyOf(`${asset}-MINT`)).balance).toBe(fromUnits(taken - MINT_LIMIT))
      }),
      property()
    )
  })

  it("leaves money minted without a limit out of the allowance", () => {
    const book = new Book()
    const amount = fromUnits(MINT_LIMIT * 3n)
    expect(Result.isSuccess(book.apply([mint({ id: "1", owner, asset, amount })]))).toBe(true)
    expect(book.account(wallet).balance).toBe(amount)
    expect(book.account(mintAllowanceOf(owner, asset)).balance).toBe(fromUnits(0n))
  })
})

describe("funding", () => {
  it("brings capital in from custody, named by account and purpose", () => {
    const book = new Book()
    const insurance = "platform/USD/insurance" as const
    expect(Result.isSuccess(book.apply([capital(insurance, fromUnits(5n), "reserve")]))).toBe(true)
    expect(book.account(custodyOf("USD")).balance).toBe(fromUnits(-5n))
    expect(capital(insurance, fromUnits(5n), "reserve").id).toBe("capital/platform/USD/insurance/reserve")
  })
})
