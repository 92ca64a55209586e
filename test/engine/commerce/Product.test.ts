import { describe, expect, it } from "bun:test"
import { listed, type Product, productStream, revised, takingsOf } from "../../../engine/commerce/Product.ts"
import type { ProductListed } from "../../../engine/commerce/ProductEvent.ts"
import { fromUnits, ONE } from "../../../engine/money/Amount.ts"

const facts = {
  name: "Bolt",
  description: "M8",
  price: fromUnits(2n * ONE),
  type: "Commodity",
  insurable: false,
  bidable: true,
  isContract: false
} as const

const act = { at: 5, userId: "usr_1", companyId: "cmp_1", productId: "prd_1" } as const
const listing: ProductListed = { _tag: "ProductListed", ...act, facts, pieces: 3 }

describe("Product", () => {
  it("is its company's, and paid into the wallet of who listed it", () => {
    const product = listed(listing)
    expect(product).toEqual({
      ...facts,
      productId: "prd_1",
      companyId: "cmp_1",
      userId: "usr_1",
      version: 1,
      createdAt: 5,
      updatedAt: 5
    })
    expect(takingsOf(product)).toBe("usr_1/USD/wallet")
    expect(productStream("prd_1")).toBe("product/prd_1")
  })

  it("changes what a revision names alone, and stays with who listed it", () => {
    const changes = { price: fromUnits(ONE), bidable: false }
    const revision = { _tag: "ProductRevised", ...act, userId: "usr_2", at: 9, changes, stock: null } as const
    const expected: Product = { ...listed(listing), ...changes, version: 2, updatedAt: 9 }
    expect(revised(listed(listing), revision)).toEqual(expected)
    expect(revised(listed(listing), { ...revision, at: 1 }).updatedAt).toBe(5)
  })
})
