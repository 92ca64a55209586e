import { describe, expect, it } from "bun:test"
import { customersOf } from "../../../../../src/dashboard/app/commerce/Customers.ts"

describe("Customers", () => {
  it("are who bought, the most frequent first, then who is managed, and never the company itself", () => {
    const orders = ["cmp_a", "cmp_b", "cmp_b", "cmp_own"].map((company_id) => ({ company_id }))
    expect(customersOf(orders, ["cmp_a", "cmp_c", "cmp_own"], "cmp_own")).toEqual([
      { id: "cmp_b", orders: 2 },
      { id: "cmp_a", orders: 1 },
      { id: "cmp_c", orders: 0 }
    ])
    expect(customersOf([], [], "cmp_own")).toEqual([])
  })
})
