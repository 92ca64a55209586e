import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import { listed, type Product, revised } from "../../../engine/commerce/Product.ts"
import { commandsOf, list, revise } from "../../../engine/commerce/ProductDecision.ts"
import { countOf, piecesOf, productAsset, stockOf } from "../../../engine/commerce/Stock.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf } from "../../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const facts = {
  name: "Bolt",
  description: "M8",
  price: fromUnits(2n * ONE),
  type: "Commodity",
  insurable: false,
  bidable: true,
  isContract: false
} as const

const merchant = { userId: "usr_1", companyId: "cmp_1", at: 1 }
const stock = stockOf("cmp_1", "prd_1")
const listing = (pieces: number) => list({ productId: "prd_1", facts, pieces }, merchant)

describe("ProductDecision", () => {
  it("makes available what each revision says, whatever was taken between", () => {
    const step = fc.record({ taken: fc.nat(5), available: fc.nat(12) })
    fc.assert(
      fc.property(fc.nat(9), fc.array(step, { maxLength: 12 }), (pieces, steps) => {
        const book = new Book()
        const first = listing(pieces)
        expect(Result.isSuccess(book.apply(first.commands))).toBe(true)
        let product: Product = listed(first.event)
        for (const [index, { available, taken }] of steps.entries()) {
          const before = countOf(book.available(stock))
          if (taken > 0 && taken <= before) {
            const hold = { id: `h${index}`, account: stock, into: custodyOf(productAsset("prd_1")) } as const
            book.apply([{ _tag: "Hold", ...hold, amount: piecesOf(taken) }])
          }
          const entry = revise(product, countOf(book.available(stock)), { facts: {}, available }, merchant)
          if (entry !== undefined) {
            expect(Result.isSuccess(book.apply(entry.commands))).toBe(true)
            product = revised(product, entry.event)
          }
          expect(countOf(book.available(stock))).toBe(available)
        }
        expect(book.account(custodyOf(productAsset("prd_1"))).balance + book.account(stock).balance).toBe(0n)
      }),
      property()
    )
  })

  it("asks the ledger for nothing where no piece moves, and records nothing that changes nothing", () => {
    expect(listing(0).commands).toEqual([])
    const product = listed(listing(4).event)
    expect(revise(product, 4, { facts: { name: "Bolt", price: fromUnits(2n * ONE) }, available: 4 }, merchant)).toBe(
      undefined
    )
    const renamed = revise(product, 4, { facts: { name: "Screw" } }, merchant)
    expect(renamed).toMatchObject({ commands: [], event: { changes: { name: "Screw" }, stock: null } })
  })

  it("names each transfer by the product's version", () => {
    const product = { ...listed(listing(4).event), version: 6 }
    const entry = revise(product, 4, { facts: {}, available: 1 }, merchant)
    expect(entry?.event.stock).toEqual({ available: 1, moved: -3 })
    expect(entry?.commands).toMatchObject([{ id: "product/prd_1/7", from: stock, amount: piecesOf(3) }])
    expect(entry === undefined ? [] : commandsOf(product, entry.event)).toEqual(entry?.commands ?? [])
  })
})
