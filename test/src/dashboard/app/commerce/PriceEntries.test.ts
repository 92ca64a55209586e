import { describe, expect, it } from "bun:test"
import { differenceOf, withoutPrice, withPrice } from "../../../../../src/dashboard/app/commerce/PriceEntries.ts"

const PRICES = [
  { product_id: "prd_1", price: 1 },
  { product_id: "prd_2", price: 2 }
]

describe("The entries of a price list", () => {
  it("keep their places when one is changed, and take a new one at the end", () => {
    expect(withPrice(PRICES, { product_id: "prd_1", price: 9 })).toEqual([
      { product_id: "prd_1", price: 9 },
      { product_id: "prd_2", price: 2 }
    ])
    expect(withPrice(PRICES, { product_id: "prd_3", price: 3 })).toEqual([...PRICES, { product_id: "prd_3", price: 3 }])
    expect(withoutPrice(PRICES, "prd_1")).toEqual([{ product_id: "prd_2", price: 2 }])
  })

  it("say how they stand to the listed price", () => {
    expect(differenceOf(20, 17.5)).toBe("12.5% less")
    expect(differenceOf(100, 103)).toBe("3% more")
    expect(differenceOf(5, 5)).toBe("the listed price")
    expect(differenceOf(100_000, 99_999)).toBe("under 0.1% less")
  })
})
