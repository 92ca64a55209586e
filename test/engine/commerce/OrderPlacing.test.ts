import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import {
  linesOf,
  paymentShortage,
  placementShortage,
  preconditionsOf,
  type Quote,
  refundShortage,
  stockIn
} from "../../../engine/commerce/OrderPlacing.ts"
import { InsufficientFunds } from "../../../engine/ledger/Book.ts"
import { usd } from "../../lib/CompanyWorld.ts"

const quote: Quote = {
  price: usd(7),
  product: {
    productId: "prd",
    companyId: "seller",
    userId: "u",
    price: usd(9),
    version: 4,
    stream: "product/prd",
    takings: "u/USD/wallet",
    stock: "seller/PRODUCT:prd/stock"
  }
}
const quotes = new Map([["prd", quote]])

describe("linesOf", () => {
  it("has the customer's price, and is decided on the product as it was read", () => {
    expect(Result.getOrThrow(linesOf("buyer", [{ productId: "prd", quantity: 2 }], quotes))).toEqual([
      { productId: "prd", sellerId: "seller", wallet: "u/USD/wallet", quantity: 2, unitPrice: usd(7) }
    ])
    expect(preconditionsOf(quotes)).toMatchObject([{ stream: "product/prd", version: 4 }])
    expect(stockIn(quotes)("seller", "prd")).toBe("seller/PRODUCT:prd/stock")
    expect(stockIn(new Map())("x", "y")).toBe("x/PRODUCT:y/stock")
  })

  it("refuses what there is not, and one's own", () => {
    const items = [{ productId: "prd", quantity: 2 }]
    expect(linesOf("buyer", items, new Map())).toMatchObject({ failure: { _tag: "ItemNotFound", index: 0 } })
    expect(linesOf("seller", items, quotes)).toMatchObject({ failure: { _tag: "InvalidOrder" } })
  })
})

describe("Shortages", () => {
  it("say what is missing by the account that lacks it", () => {
    const short = (account: `${string}/${string}/stock` | `${string}/${string}/credit_limit`) =>
      new InsufficientFunds({ account, available: usd(1), needed: usd(2) })
    expect(placementShortage(short("s/PRODUCT:prd/stock"), usd(3))).toMatchObject({ productId: "prd", left: 3 })
    expect(placementShortage(short("u/USD-CREDIT/credit_limit"), usd(3))).toMatchObject({ free: usd(3) })
    expect(paymentShortage(short("s/PRODUCT:prd/stock"))).toMatchObject({ available: usd(1), needed: usd(2) })
    expect(refundShortage(short("s/PRODUCT:prd/stock"))).toMatchObject({ sellerWallet: "s/PRODUCT:prd/stock" })
  })
})
