import { describe, expect, it } from "bun:test"
import { providerAddress, shopAddress, waysOf } from "../../../../../src/dashboard/app/account/SignInWays.ts"

describe("The ways to sign in", () => {
  it("are those that the server tells", () => {
    expect(waysOf("")).toEqual({ provider: false, shops: undefined })
    expect(waysOf("google")).toEqual({ provider: true, shops: undefined })
    expect(waysOf("google shop:shops.example")).toEqual({ provider: true, shops: "shops.example" })
  })

  it("come back to the page that was asked for", () => {
    expect(providerAddress("/")).toBe("/auth/google?return_to=%2Fdashboard")
    expect(providerAddress("/orders/1")).toBe("/auth/google?return_to=%2Fdashboard%2Forders%2F1")
  })

  it("take a shop as it is written", () => {
    for (const written of ["northwind", " Northwind.shops.example ", "https://northwind.shops.example/admin"]) {
      expect(shopAddress(written, "shops.example", "/")).toBe(
        "/auth/ecommerce?shop=northwind.shops.example&return_to=%2Fdashboard"
      )
    }
  })
})
