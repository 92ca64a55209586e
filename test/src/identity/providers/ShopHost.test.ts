import { describe, expect, it } from "bun:test"
import { parse } from "../../../../src/identity/providers/ShopHost.ts"

describe("A shop's host", () => {
  it("is one name below the platform's domain, in lower case", () => {
    expect(parse("acme.myshopify.com", "myshopify.com")).toBe("acme.myshopify.com")
    expect(parse("Acme-2.MyShopify.com", "myshopify.com")).toBe("acme-2.myshopify.com")
  })

  it("is nothing that leads elsewhere", () => {
    const evil = [
      "",
      "myshopify.com",
      ".myshopify.com",
      "evil.com/.myshopify.com",
      "evil.com?.myshopify.com",
      "evil.com#.myshopify.com",
      "evil.com\\.myshopify.com",
      "user@evil.myshopify.com",
      "evil:80.myshopify.com",
      "a.b.myshopify.com",
      "-a.myshopify.com",
      "a-.myshopify.com",
      "evilmyshopify.com",
      "acme.myshopify.com.evil.com",
      "acme.myshopify.com.",
      "acme.myshopify.com\n",
      "acme.myshopify.com/admin",
      "acme.myshopify.com:443",
      "аcme.myshopify.com",
      `${"a".repeat(64)}.myshopify.com`
    ]
    for (const host of evil) expect([host, parse(host, "myshopify.com")]).toEqual([host, undefined])
  })
})
